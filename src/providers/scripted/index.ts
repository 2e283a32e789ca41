export type { RecordedRequest } from "./recorded-request.js";
export { type ScriptedOptions, type ScriptedProvider, scripted } from "./scripted.js";
export {
  type ScriptedContent,
  type ScriptedPiece,
  type ScriptedToolCall,
  type ScriptedTurn,
  type Turn,
  type TurnFunction,
  type TurnSettings,
  text,
  toolCall,
} from "./scripted-turn.js";
