export { type InstrumentOptions, instrument, type TraceparentStore } from "./instrument.js";
