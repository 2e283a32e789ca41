import type { ProviderAdapter, ProviderRequest } from "../../../contracts/provider.js";
import type { Failures } from "../failures/failures.js";
import { type Lesson, learned } from "../lessons.js";
import { MediaCheck } from "../media/media-check.js";
import { type LeftOut, LeftOutNotices } from "../media/media-of.js";
import { RefusedMedia } from "../media/refused-media.js";
import type { MediaVendor } from "../media/vendor-limits.js";
import { RefusedCompaction } from "../state/refused-compaction.js";
import type { ServerState, StatePlan } from "../state/server-state.js";
import { AnswerReader } from "./answer-reader.js";
import { type EventReader, ResponseStream } from "./response-stream.js";

/** One API: its requests and the reader of its stream. `Capabilities` are those of its models and servers. */
export interface ModelApi<Capabilities, Body extends object> {
  /** The capabilities that are assumed before the first request. */
  readonly capabilities: Capabilities;
  /** The body for a request. `plan`: how much of it the server has, where it keeps conversations. */
  write(request: ProviderRequest, capabilities: Capabilities, plan: StatePlan | undefined): WrittenRequest<Body>;
  /** The lessons of refusals: a request that one of them changes is sent again. */
  readonly lessons: readonly Lesson<Capabilities>[];
  createReader(request: ProviderRequest): EventReader;
  /** The conversations that the server keeps. Absent: none. */
  readonly state?: ServerState | undefined;
}

/** The body of one request. */
interface WrittenRequest<Body> {
  readonly body: Body;
  /** The tool whose call is the structured answer. */
  readonly outputTool?: string | undefined;
  /** Media that the body is written without. */
  readonly leftOut?: readonly LeftOut[];
}

/** The server that receives the requests. */
export interface Endpoint<Body extends object> {
  /** Sends a request. Steps through the data of the response; a step may be several pieces. */
  send(body: Body, signal: AbortSignal): Promise<AsyncIterable<unknown>>;
  /** The error for what the response has thrown while it was read. */
  readonly failure?: (thrown: unknown) => Error;
  readonly failures: Failures;
  /** The vendor whose limits on images and files apply. Absent: no limits are known. */
  readonly mediaVendor?: MediaVendor | undefined;
}

/** `stream` of an adapter. While a refusal teaches what the model takes instead, the request is rewritten and sent again. */
export function streamWith<Capabilities, Body extends object>(
  endpoint: Endpoint<Body>,
  api: ModelApi<Capabilities, Body>,
): ProviderAdapter["stream"] {
  let { capabilities } = api;
  const mediaCheck = new MediaCheck(endpoint.mediaVendor);
  const refusedMedia = new RefusedMedia();
  const notices = new LeftOutNotices();
  const compaction = new RefusedCompaction(endpoint.failures.scene.provider);
  const { state } = api;
  const write = (request: ProviderRequest, tried: Capabilities, plan: StatePlan | undefined) =>
    api.write(refusedMedia.leaveOut(request), tried, plan);

  async function open(asked: ProviderRequest, reader: EventReader, sent: Sent, signal: AbortSignal) {
    compaction.check(asked);
    sent.plan = state?.plan(asked);
    const checked = await mediaCheck.check(asked, signal);
    const { request } = checked;
    const known = capabilities;
    let tried = known;
    let written = write(request, tried, sent.plan);
    const leftOut: string[] = [];
    let first: unknown;
    while (true) {
      try {
        const source = await endpoint.send(written.body, signal);
        if (sent.answer) sent.answer.outputTool = written.outputTool;
        // Another request may have learned something meanwhile: a request that learned nothing must not undo it.
        if (tried !== known) capabilities = tried;
        refusedMedia.take(request);
        compaction.take(request);
        const unsent = [...checked.leftOut, ...(written.leftOut ?? []), ...refusedMedia.leftOutOf(request)];
        reader.events.push(...notices.of(request.sessionId, unsent), ...compaction.notices());
        if (sent.plan?.notice) reader.events.push(sent.plan.notice);
        return source;
      } catch (error) {
        if (signal.aborted) {
          refusedMedia.forget(leftOut);
          throw error;
        }
        const other = sent.plan && state?.afterRefusal(sent.plan, asked, error);
        if (other) {
          sent.plan = other;
          written = write(request, tried, other);
          continue;
        }
        if (leftOut.length === 0) first = error;
        ({ tried, written } = learn(error, request, { tried, body: written.body, leftOut, first, plan: sent.plan }));
      }
    }
  }

  /** The next request to try. A refusal that no capability explains is thrown. */
  function learn(
    error: unknown,
    request: ProviderRequest,
    { tried, body, leftOut, first, plan }: Refused<Capabilities, Body>,
  ) {
    const refused = JSON.stringify(body);
    for (let now = learned(api.lessons, tried, error, body); now; now = learned(api.lessons, now, error, body)) {
      const written = write(request, now, plan);
      if (JSON.stringify(written.body) !== refused) return { tried: now, written };
    }
    const media = refusedMedia.suspect(error, request, body);
    if (media.length === 0) {
      refusedMedia.forget(leftOut);
      compaction.refuse(request, first);
      throw first;
    }
    leftOut.push(...media);
    return { tried, written: write(request, tried, plan) };
  }

  const { failures, failure } = endpoint;
  return (request) => {
    const inner = api.createReader(request);
    const answer = request.output && new AnswerReader(inner);
    const sent: Sent = { plan: undefined, answer };
    const own = answer ?? inner;
    const reader = state ? state.reader(own, request, () => sent.plan) : own;
    return new ResponseStream({
      reader,
      request,
      failures,
      ...(failure && { failure }),
      open: (signal) => open(request, reader, sent, signal),
    });
  };
}

/** A refused request. */
interface Refused<Capabilities, Body> {
  readonly tried: Capabilities;
  readonly body: Body;
  /** The images left out for this request so far. */
  readonly leftOut: string[];
  /** The refusal of the request with all of its media. */
  readonly first: unknown;
  readonly plan: StatePlan | undefined;
}

/** The plan that a request was sent by last, and the reader of a structured answer. */
interface Sent {
  plan: StatePlan | undefined;
  readonly answer: AnswerReader | undefined;
}
