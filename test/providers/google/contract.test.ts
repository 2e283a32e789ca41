import { test } from "vitest";
import { google } from "../../../src/providers/google/index.js";
import { httpProviderContract } from "../../../src/testing/fault-server/index.js";
import { runs } from "../../runs.js";
import { FAILURES, FEATURES, replyTo } from "./contract-replies.js";

for (const c of httpProviderContract({
  reply: replyTo,
  connect: (url) => google({ model: "gemini-3-pro", apiKey: "k", baseURL: url }),
  failures: FAILURES,
  features: FEATURES,
  stride: runs(301, 31, 1),
})) {
  test(c.name, c.run);
}
