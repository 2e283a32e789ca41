export { type FactSourceOptions, factSource } from "./fact-source.js";
export { createFileFactStore, type FileFactStoreOptions } from "./file-fact-store.js";
export { fileStateSource } from "./file-state-source.js";
export { type ImportedMemory, importMemory } from "./import-memory.js";
export { type InstructionFilesOptions, instructionFiles } from "./instruction-files.js";
export { createMemoryFactStore, type MemoryFactStoreOptions } from "./memory-fact-store.js";
export { createMemoryTool, type MemoryInput, type MemoryToolOptions } from "./memory-tool.js";
export { createMemoryTools } from "./memory-tools.js";
