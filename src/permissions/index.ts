export { formatRule, type ParsedRule, parseRule } from "../rules/parse-rule.js";
export { createPermissionChecker, type PermissionChecker, type PermissionCheckerOptions } from "./checker.js";
export type { ClassifierOptions, Classify } from "./classifier.js";
export type { DecisionStep } from "./decision.js";
export type { ConsideredRule, Explanation } from "./explain.js";
export type { FlowOptions } from "./flow/flow-options.js";
export type { FlowFinding } from "./flow/judge-flow.js";
export type { FilesPlace } from "./flow/tracked-files.js";
export { type LeftOutFile, type TrustedFiles, trustedFiles } from "./flow/trusted-files.js";
export { type LintCode, type LintFinding, type LintOptions, lintRules, type RuleSources } from "./lint-rules.js";
export type { PermissionRules, SourcedRules } from "./rules/rules.js";
export type {
  AnalyzedCommand,
  AnalyzeOptions,
  CommandAnalysis,
  CommandAssignment,
  CommandDoubt,
  CommandWrapper,
  Destruction,
  DestructionOptions,
  Effect,
  EffectPath,
  NameListing,
} from "./shell/analysis.js";
export { analyzeCommand } from "./shell/analyze-command.js";
export { assessDestruction } from "./shell/destruction/destruction.js";
export { isReadOnlyCommand } from "./shell/read-only-command.js";
export { type PolicyCase, type PolicyFailure, testPolicy } from "./test-policy.js";
