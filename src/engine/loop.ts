// What runs need and engines do not: one part of the library, loaded when the first run begins.
export { BackgroundChildren } from "./background-children.js";
export { abortCall } from "./calls/abort-call.js";
export { CallScheduler } from "./calls/call-scheduler.js";
export { ClaimTable } from "./calls/claims.js";
export { spawnChild } from "./child-run.js";
export { usageOf } from "./context/compaction.js";
export { resultOfAbort, resultOfCall } from "./direct-call.js";
export { RetryingStream } from "./model/retrying-stream.js";
export { newRun } from "./new-run.js";
export { readOutcome, runHooks } from "./run/combine-hooks.js";
export { LoopDetector } from "./run/loop-detector.js";
export { RunHooks } from "./run/run-hooks.js";
export { announceEnd, runToEnd } from "./run-loop.js";
export { readAsSent } from "./session/open-session.js";
export { Transcript, waitingQuestions } from "./transcript/transcript.js";
