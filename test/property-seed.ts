import fc from "fast-check";

// `npm test` tries the same cases every time, so that its answer is about the change; `npm run prove` explores.
if (!process.env.PROVE) fc.configureGlobal({ seed: 20_261_121 });
