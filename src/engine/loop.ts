// The part of the library that runs need and engines do not, loaded when the first run begins.
export { usageOf } from "./context/compaction.js";
export { resultOfAbort, resultOfCall } from "./direct-call.js";
export { newRun } from "./new-run.js";
export { announceEnd, runToEnd } from "./run-loop.js";
export { readAsSent } from "./session/open-session.js";
export { Transcript, waitingQuestions } from "./transcript/transcript.js";
