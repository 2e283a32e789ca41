// Whether a query wants to know something or to have something done, and whether a tool reports or does something. "Where is my
// file" and "put my file there" share their nouns; this separates them.
import { wordsIn } from "../../text/words.js";

const ASKING =
  /^(?:please )?(?:(?:can|could|would) you )?(?:i (?:want|need|would like) to (?:know|see) )?(?:what|where|which|who|whom|whose|when|why|how|is|are|am|was|were|do|does|did|has|have|had|any|anything|show me|show us|list|find|look|search|read|see|check|tell me|give me|get me|catch me|count|all|display|view|fetch|details|recent|latest)\b/i;

const TELLING = new Set(
  wordsIn(
    `get list search find read query describe show fetch retrieve lookup check view analyze explain count report scan download status history
    geocode matrix directions log whois current recommend calculate forecast compare top info details detect diff`,
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
