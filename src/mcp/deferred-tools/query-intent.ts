// Whether a query wants to know something, to have something done, or to be rid of something, and which of these a tool does.
// "Where is my file" and "put my file there" share their nouns; this separates them.
import { wordsIn } from "../../text/words.js";

const ASKING =
  /^(?:please )?(?:(?:can|could|would) you )?(?:i (?:want|need|would like) to (?:know|see) )?(?:what|where|which|who|whom|whose|when|why|how|is|are|am|was|were|do|does|did|has|have|had|any|anything|show me|show us|list|find|look|search|read|see|check|tell me|give me|get me|catch me|count|all|display|view|fetch|details|recent|latest)\b/i;

const TELLING = new Set(
  wordsIn(
    `get list search find read query describe show fetch retrieve lookup check view analyze explain count report scan download status history
    geocode matrix directions log whois current recommend calculate forecast compare top info details detect diff`,
  ),
);
const TO_END =
  /\b(?:delet|remov|drop|destroy|discard|eras|wip|clear|clean|empt|purg|forget|cancel|stop|clos|end|finish|quit|kill|abort|halt|terminat|undo|revok|unsubscrib|disconnect|detach|dismiss|reject|declin|block|disabl|uninstall|leav|los|tear|without|unlink|unshare|logout)\w{0,5}\b|\b(?:rid|away|off|out|down|done|no|not|never|n't|enough|any ?more|no longer|go of|back)\b/i;
const ENDING = new Set(
  wordsIn(
    `delete remove drop destroy discard erase clear purge cancel stop close end kill terminate undo revoke unsubscribe disconnect detach dismiss
    uninstall unset unapprove unroute teardown`,
  ),
);
/** Where a tool's name has its verb: at the beginning, behind the name of a service at most. Unit: words. */
const VERB_WITHIN = 4;

export function asksForKnowledge(query: string): boolean {
  return ASKING.test(query.trim()) || query.trim().endsWith("?");
}

export function tellsSomething(toolName: string): boolean {
  return wordsIn(toolName)
    .slice(0, VERB_WITHIN)
    .some((word) => TELLING.has(word));
}

/** Whether a query may want something to be gone or over. */
export function asksForAnEnd(query: string): boolean {
  return TO_END.test(query);
}

export function endsSomething(toolName: string): boolean {
  return wordsIn(toolName).some((word) => ENDING.has(word));
}
