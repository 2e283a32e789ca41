// Every key of Claude Code's settings that is known, and what becomes of it. The reader and the reference page use this one list.
// Serves: Claude Code 2.1, `Settings` of @anthropic-ai/claude-agent-sdk 0.3.332 (read 2026-11).

/** `honoured`: it counts. `refused`: a preset does not open with it. `ignored`: without it nothing more is allowed. */
export type Treatment = "honoured" | "refused" | "ignored";

/** One key, as `sandbox.network.allowedDomains`. */
export interface KnownSetting {
  readonly treatment: Treatment;
  /** The place where it counts, or why it does not. */
  readonly note: string;
}

const ANY = "every file, trusted or not";
const LIST = "lists of trusted files are joined; one of a project that is not trusted only narrows them";
const TRUSTED = "trusted files";
const MANAGED = "managed settings";
const SANDBOX_LIST = "every file, while `sandbox.enabled`";

/** Keys that are read. The readers name them by this type, so that none is read that is not listed. */
const HONOURED = {
  "permissions.allow": TRUSTED,
  "permissions.ask": ANY,
  "permissions.deny": ANY,
  "permissions.defaultMode": "the strongest trusted file; a project that is not trusted may only be stricter",
  "permissions.additionalDirectories": TRUSTED,
  "permissions.disableBypassPermissionsMode": ANY,
  "permissions.disableAutoMode": "every file: the checker's classifier is not asked",
  disableAutoMode: "as `permissions.disableAutoMode`",
  "permissions.blockReadsOutsideWorkingDirectories":
    "every file: file tools refuse, and commands that name such a path are denied",
  "permissions.blockWritesOutsideWorkingDirectories":
    "every file: file tools refuse, and commands that name such a path are denied",
  "permissions.denyInsteadOfPrompting": "every file: what would ask is denied, and `ask_user` is not offered",
  "flow.untrusted": "every file: it turns `flow` on",
  "flow.private": "every file: it turns `flow` on",
  "flow.trusted": "trusted files: it turns `flow` on",
  hooks: TRUSTED,
  disableAllHooks: TRUSTED,
  allowManagedHooksOnly: MANAGED,
  allowedHttpHookUrls:
    "trusted files, joined; a hook for another address blocks where it guards, and is left out elsewhere",
  httpHookAllowedEnvVars: "trusted files, joined",
  env: "trusted files; for the commands of hooks",
  model: "the strongest trusted file; the terminal program uses it",
  availableModels: LIST,
  availableModelsMatch: ANY,
  enforceAvailableModels: "always so: a default outside `availableModels` is refused, too",
  deniedModels: ANY,
  disabledMcpjsonServers: ANY,
  enabledMcpjsonServers: LIST,
  enableAllProjectMcpServers: "`false` in any file: only servers of `enabledMcpjsonServers` start",
  deniedMcpServers: ANY,
  allowedMcpServers: LIST,
  allowManagedMcpServersOnly: MANAGED,
  allowManagedPermissionRulesOnly: "managed settings; deny and ask rules of other files still count",
  skillOverrides: "every file; the strictest counts",
  disableSkillShellExecution: "always so: no line of a skill is run when it is loaded",
  "sandbox.enabled": "every file; where the machine has no sandbox, every command asks",
  "sandbox.failIfUnavailable": ANY,
  "sandbox.filesystem.denyRead": SANDBOX_LIST,
  "sandbox.filesystem.denyWrite": SANDBOX_LIST,
  "sandbox.filesystem.allowWrite": TRUSTED,
  "sandbox.network.allowedDomains": LIST,
  "sandbox.network.deniedDomains": SANDBOX_LIST,
  "sandbox.network.allowManagedDomainsOnly": MANAGED,
  "sandbox.network.strictAllowlist": "always so: nobody is asked about another host",
  "sandbox.allowUnsandboxedCommands": "`false` is always so: no command leaves the sandbox",
  "sandbox.autoAllowBashIfSandboxed": "`false` is always so: a sandboxed command needs a rule or an approval, too",
} satisfies Readonly<Record<string, string>>;

export type HonouredKey = keyof typeof HONOURED;

/** Keys that restrict and that nothing here enforces. */
const REFUSED: Readonly<Record<string, string>> = {
  agent: "the main agent would have more tools than the named one",
  maxEffortLevel: "nothing here limits the effort of a model",
  "sandbox.network.httpProxyPort": "while `sandbox.enabled`: commands would pass by that proxy",
  "sandbox.network.socksProxyPort": "while `sandbox.enabled`: commands would pass by that proxy",
  "sandbox.network.tlsTerminate": "while `sandbox.enabled`: requests would not be looked into",
  "sandbox.credentials.files": "while `sandbox.enabled`: use `sandbox.filesystem.denyRead`",
  "sandbox.credentials.envVars": "while `sandbox.enabled`: commands get few variables, and these may be among them",
  allowedProviders: "in managed settings: which provider a host has connected is not known by these names",
  strictPluginOnlyCustomization: "in managed settings: files outside plugins would be read",
  policyHelper: "in managed settings: the settings that the program computes would be missing",
};

/** Refused in managed settings; elsewhere Claude Code does not read them either. */
const REFUSED_IN_MANAGED: ReadonlySet<string> = new Set([
  "allowedProviders",
  "strictPluginOnlyCustomization",
  "policyHelper",
]);

/** Keys that count in managed settings alone, here as there. */
const MANAGED_ONLY: ReadonlySet<string> = new Set([
  ...REFUSED_IN_MANAGED,
  "allowManagedHooksOnly",
  "allowManagedMcpServersOnly",
  "allowManagedPermissionRulesOnly",
  "sandbox.network.allowManagedDomainsOnly",
]);

/** Keys without which nothing more is allowed, by the reason. */
const IGNORED: Readonly<Record<string, string>> = {
  "is about Claude Code's screen, prompts or comfort": `$schema fileSuggestion respectGitignore skillListingMaxDescChars
    skillListingBudgetFraction attribution attributionProject attributionProjectPolicy includeCoAuthoredBy includeGitInstructions
    defaultShell bashEditDiffEnabled bashOutputMaxChars taskOutputMaxChars respondToBashCommands statusLine prUrlTemplate
    footerLinksRegexes subagentStatusLine outputStyle viewMode language spinnerTipsEnabled spinnerVerbs spinnerTipsOverride
    syntaxHighlightingDisabled maxProseWidth spellcheck terminalTitleFromRename promptSuggestionEnabled emojiCompletionEnabled
    showClearContextOnPlanAccept askUserQuestionTimeout dialogExpiry companyAnnouncements plansDirectory tui voice voiceEnabled
    prefersReducedMotion timeFormat timeZone showThinkingSummaries theme editorMode keybindingFlavor vimInsertModeRemaps verbose
    preferredNotifChannel autoScrollEnabled wheelScrollAccelerationEnabled showTurnDuration showMessageTimestamps
    terminalProgressBarEnabled todoFeatureEnabled inputNeededNotifEnabled agentPushNotifEnabled defaultView feedbackSurveyRate
    feedbackDrafts claudeMd claudeMdExcludes pluginTrustMessage worktree sandbox.ripgrep sandbox.bwrapPath sandbox.socatPath
    disableWindowsBashCommandSplit`,
  "is an option of the engine, the provider or the host's stores here": `fallbackModel modelOverrides modelPicker modelPricing
    modelSettings promptCacheTtl subagentPromptCacheTtl alwaysThinkingEnabled effortLevel ultracode autoCompactWindow advisorModel
    fastMode fastModePerSessionOptIn autoCompactEnabled precomputeCompactionEnabled idleCompaction switchModelsOnFlag
    autoContinueAtUsageLimit fileCheckpointingEnabled cleanupPeriodDays desktopSessionCleanupPeriodDays autoMemoryEnabled
    autoMemoryDirectory autoDreamEnabled managedMcpServers`,
  "is about something that is not here": `syncClaudeAiSkills syncClaudeAiPlugins disableClaudeAiConnectors disableBundledSkills
    disableReplyCheck disableAgentView disableRemoteControl disableWorkflows disableArtifact enableArtifact enableWorkflows
    workflowSizeGuideline workflowKeywordTriggerEnabled desktopMcpServersListScope allowAllClaudeAiMcps
    allowClaudeInChromeWithManagedMcp enabledPlugins prependPlugins appendPlugins extraKnownMarketplaces additionalMarketplaces
    strictKnownMarketplaces allowedMarketplaces blockedMarketplaces disableCommandPluginSources disableSideloadFlags
    pluginSuggestionMarketplaces pluginConfigs remote channelsEnabled allowedChannelPlugins sshConfigs sshHostCommands teammateMode
    remoteControlAtStartup isolatePeerMachines daemonColdStart crossSessionInbound autoUploadSessions disableDeepLinkRegistration`,
  "is about Claude Code's own login, updates or helper programs": `apiKeyHelper proxyAuthHelper awsCredentialExport awsAuthRefresh
    gcpAuthRefresh processWrapper otelHeadersHelper wslInheritsWindowsSettings forceLoginMethod forceLoginGatewayUrl
    gatewayInternalNetworks forceLoginOrgUUID allowNestedModelAccessUnderForceLogin forceRemoteSettingsRefresh
    parentSettingsBehavior managedSourcesBehavior autoUpdatesChannel minimumVersion requiredMinimumVersion requiredMaximumVersion
    downloadsMirrorUrl`,
  "would loosen what is stricter here": `skipWebFetchPreflight skipDangerousModePermissionPrompt skipAutoPermissionPrompt
    useAutoModeDuringPlan autoMode sandbox.filesystem.allowRead sandbox.filesystem.allowManagedReadPathsOnly
    sandbox.filesystem.disabled sandbox.network.allowUnixSockets sandbox.network.allowAllUnixSockets
    sandbox.network.allowLocalBinding sandbox.network.allowMachLookup sandbox.credentials.allowPlaintextInject
    sandbox.credentials.awsPairs sandbox.credentials.sigv4 sandbox.ignoreViolations sandbox.enableWeakerNestedSandbox
    sandbox.allowNestedUserNamespaces sandbox.enableWeakerNetworkIsolation sandbox.allowAppleEvents sandbox.excludedCommands`,
  "counts on Claude Code's command line alone": `permissions.blockReadsExemptPaths permissions.workingDirectoriesAsGiven
    permissions.workingDirectoriesExclude`,
};

function rowsOf(treatment: Treatment, notes: Readonly<Record<string, string>>): [string, KnownSetting][] {
  return Object.entries(notes).map(([key, note]) => [key, { treatment, note }]);
}

/** By key. Those of objects have their parents in front, as `permissions.allow`. */
export const KNOWN_SETTINGS: ReadonlyMap<string, KnownSetting> = new Map([
  ...rowsOf("honoured", HONOURED),
  ...rowsOf("refused", REFUSED),
  ...Object.entries(IGNORED).flatMap(([note, keys]) =>
    keys.split(/\s+/).map((key): [string, KnownSetting] => [key, { treatment: "ignored", note }]),
  ),
]);

/** Objects whose keys are rows of their own. */
export const SETTINGS_SECTIONS: ReadonlySet<string> = new Set(
  [...KNOWN_SETTINGS.keys()].flatMap((key) => {
    const parts = key.split(".").slice(0, -1);
    return parts.map((_, at) => parts.slice(0, at + 1).join("."));
  }),
);

/** Whether a key counts in managed settings alone. */
export function isManagedOnly(key: string): boolean {
  return MANAGED_ONLY.has(key);
}
