import { isHarnessError, ProviderError } from "../../../contracts/errors.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { parseJson } from "../../../json/parse-json.js";
import { readEnvironment } from "../http/read-environment.js";
import { toProviderError } from "./provider-error.js";
import { readableText } from "./readable-text.js";
import { refusalFields } from "./refusal-fields.js";
import type { HeaderReader } from "./retry-after.js";
import type { Scrub } from "./secrets.js";

/** The provider and model that failed. */
export interface FailureScene {
  /** The adapter's `id`. */
  readonly provider: string;
  readonly model: string;
  readonly scrub: Scrub;
}

/** Node sends nothing through the proxy that these name unless it is asked to. */
const PROXY_VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

function proxyAdvice(): string {
  const name = PROXY_VARIABLES.find((variable) => readEnvironment(variable) !== undefined);
  if (name === undefined) return "";
  return ` ${name} is set: Node 24 and newer use that proxy with NODE_USE_ENV_PROXY=1; on older ones, pass a fetch that does.`;
}

/** Turns all failures of one provider into errors that hosts and retries understand. Messages hold no secrets. */
export class Failures {
  constructor(readonly scene: FailureScene) {}

  /**
   * A refusal: `said` is its JSON value or its text, or an error object that came inside a stream; then there is no
   * status.
   */
  refusal(said: unknown, status?: number, header?: HeaderReader): ProviderError {
    const { scrub, provider, model } = this.scene;
    const body = typeof said === "string" ? (parseJson(said) ?? said) : said;
    const fields = refusalFields(body);
    return toProviderError({ ...fields, provider, model, status: status ?? fields.status, header, body }, scrub);
  }

  /** `fetch` failed: no response came. */
  connection(thrown: unknown): Error {
    if (isHarnessError(thrown)) return thrown;
    const cause = this.#causeOf(thrown);
    if (isTimeout(thrown, cause)) return this.#timeout(cause);
    const message = `Provider "${this.scene.provider}" could not be reached: ${cause}. Check baseURL and the network.${proxyAdvice()}`;
    return new ProviderError("CONNECTION", { message, retryable: true });
  }

  /** The response broke off while it was read. */
  streaming(thrown: unknown): Error {
    if (isHarnessError(thrown)) return thrown;
    if (thrown instanceof SyntaxError) {
      return broken(`Provider "${this.scene.provider}" sent something in its stream that is not JSON.`);
    }
    const cause = this.#causeOf(thrown);
    if (isTimeout(thrown, cause)) return this.#timeout(cause);
    if (NOT_COMPRESSED.test(cause)) {
      const said = `Provider "${this.scene.provider}" says that its response is compressed, and it cannot be unpacked: ${cause}.`;
      return broken(`${said} Check what stands between the server and this program.`);
    }
    return broken(`The stream of provider "${this.scene.provider}" broke off: ${cause}.`);
  }

  /**
   * An error of a vendor's SDK client. It is not kept as a cause: it may quote keys that were sent.
   */
  client(thrown: unknown, isStreaming: boolean): Error {
    if (isHarnessError(thrown)) return thrown;
    const { status, error, headers, message }: Fields = isObject(thrown) ? thrown : {};
    if (typeof status === "number" || error !== undefined) {
      const get =
        isObject(headers) && typeof headers.get === "function"
          ? (headers.get.bind(headers) as HeaderReader)
          : undefined;
      return this.refusal(error ?? withoutStatus(message), typeof status === "number" ? status : undefined, get);
    }
    if (isStreaming || thrown instanceof SyntaxError) return this.streaming(thrown);
    // An SDK's connection errors have a status field without a value; anything else is a mistake, not the network.
    const cause = this.#causeOf(thrown);
    const isConnection = isObject(thrown) && ("status" in thrown || isTimeout(thrown, cause));
    return isConnection ? this.connection(thrown) : this.unsent(thrown);
  }

  /** The request was never sent: the fault is on our side of the network. */
  unsent(thrown: unknown): ProviderError {
    const { provider, scrub } = this.scene;
    const said = String(isObject(thrown) ? (thrown.message ?? thrown) : thrown);
    const message = `Provider "${provider}" failed before it sent its request: ${readableText(said, scrub)}`;
    return new ProviderError("PROVIDER_FAILED", { message });
  }

  /** The response ended before its message did. Nothing in it may be used. */
  cutOff(hasStarted: boolean): ProviderError {
    const { provider } = this.scene;
    return broken(
      hasStarted
        ? `The stream of provider "${provider}" ended in the middle of a message.`
        : `Provider "${provider}" ended its response without a single event. If that goes on, check that baseURL is right and the server streams.`,
    );
  }

  #timeout(cause: string): ProviderError {
    const message = `Provider "${this.scene.provider}" did not answer in time: ${cause}.`;
    return new ProviderError("TIMEOUT", { message, retryable: true });
  }

  /** The innermost cause says most: `fetch failed` means nothing, `ECONNREFUSED` does. */
  #causeOf(thrown: unknown): string {
    let error: unknown = thrown;
    for (let depth = 0; depth < 8 && isObject(error) && Reflect.get(error, "cause") != null; depth++) {
      error = Reflect.get(error, "cause");
    }
    const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
    const text = [code, message || String(error)].filter((part) => typeof part === "string").join(": ");
    return readableText(text, this.scene.scrub).replace(/\.$/, "");
  }
}

/** Node's fetch waits 300 s for the head of a response, and as long between two packets. */
function isTimeout(thrown: unknown, cause: string): boolean {
  const name = isObject(thrown) ? String(Reflect.get(thrown, "name")) : "";
  return /HEADERS_TIMEOUT|BODY_TIMEOUT/.test(cause) || name === "TimeoutError" || /timed out/i.test(cause);
}

/** The platforms' messages for bytes that contradict `content-encoding`: Node, Deno, browsers. */
const NOT_COMPRESSED =
  /Z_DATA_ERROR|Z_BUF_ERROR|ZSTD_error|ERR__ERROR_FORMAT|decompression failed|content decoding|invalid gzip/i;

function broken(message: string): ProviderError {
  return new ProviderError("STREAM_BROKEN", { message, retryable: true });
}

/** SDKs put the status before the message. */
function withoutStatus(message: unknown): string {
  return typeof message === "string" ? message.replace(/^\d{3} (?:status code \(no body\))?/, "") : "";
}
