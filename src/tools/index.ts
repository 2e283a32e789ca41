export { type AppliedEdit, applyEdit, type Edit } from "./apply-edit.js";
export { type BashToolOptions, createBashTool } from "./bash.js";
export { type BuiltinToolName, type BuiltinToolsOptions, builtinTools } from "./builtin-tools.js";
export { createEditFileTool } from "./edit-file.js";
export { createGlobTool } from "./glob.js";
export { createGrepTool } from "./grep.js";
export { createReadFileTool } from "./read-file.js";
export { createWriteFileTool } from "./write-file.js";
