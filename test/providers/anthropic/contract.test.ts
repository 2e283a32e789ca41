import { describe, test } from "vitest";
import { anthropic } from "../../../src/providers/anthropic/index.js";
import { httpProviderContract } from "../../../src/testing/fault-server/index.js";
import { runs } from "../../runs.js";
import { FAILURES, FEATURES, replyTo } from "./contract-replies.js";

describe.each(["client", "server"] as const)("with the state of the %s", (state) => {
  for (const c of httpProviderContract({
    reply: replyTo,
    connect: (url) => anthropic({ model: "claude-opus-5", apiKey: "k", baseURL: url, state }),
    failures: FAILURES,
    features: FEATURES,
    stride: runs(301, 31, 1),
  })) {
    test(c.name, c.run);
  }
});
