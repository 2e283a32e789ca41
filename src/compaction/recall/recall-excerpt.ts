import { sliceCharacters } from "../../text/cut.js";
import { closenessOf, queryWords } from "../../text/query-words.js";
import type { WordIndex } from "../../text/word-index.js";
import { runsIn, wordFormsOf } from "../../text/words.js";
import type { RecallQuery } from "./recall-query.js";

const EXCERPT_CHARS = 320;
/** The part of an excerpt before the first word that was found. */
const LEAD_CHARS = 60;
/** Places that are looked at in one text. */
const MAX_PLACES = 2_000;
/** The weight of a quote beside the words in it. */
const QUOTED_WORTH = 10;

/** A place of a text where something that is asked stands. */
interface Place {
  /** Unit: UTF-16 code units. */
  readonly at: number;
  readonly of: string;
  readonly worth: number;
}

/** The stretch of a text where most of what is asked stands closest together, and where it begins. Unit: characters. */
export function excerptOf(text: string, query: RecallQuery, index: WordIndex) {
  const places = placesIn(text, query, index);
  let best = { worth: -1, at: 0, span: 0 };
  for (const [first, { at }] of places.entries()) {
    const found = new Set<string>();
    let [worth, span] = [0, 0];
    for (let next = first; next < places.length && places[next]!.at < at + EXCERPT_CHARS - LEAD_CHARS; next++) {
      const place = places[next]!;
      if (found.has(place.of)) continue;
      found.add(place.of);
      worth += place.worth;
      span = place.at - at;
    }
    if (worth > best.worth || (worth === best.worth && span < best.span)) best = { worth, at, span };
  }
  const offset = Math.max(0, best.at - LEAD_CHARS);
  const stretch = sliceCharacters(text, offset, offset + EXCERPT_CHARS);
  const before = offset > 0 ? "…" : "";
  const after = offset + EXCERPT_CHARS < text.length ? "…" : "";
  return { offset, excerpt: `${before}${stretch.trim()}${after}` };
}

function placesIn(text: string, { words, quoted }: RecallQuery, index: WordIndex): Place[] {
  const asked = queryWords(words);
  const places: Place[] = quoted.map((phrase) => ({
    at: phrase.exec(text)?.index ?? 0,
    of: phrase.source,
    worth: QUOTED_WORTH,
  }));
  for (const { run, at } of runsIn(text)) {
    if (places.length >= MAX_PLACES) break;
    for (const { word, stem } of wordFormsOf(run)) {
      const met = asked.find((each) => closenessOf(each, stem) > 0);
      if (!met) continue;
      const worth = index.rarityOf(met.stem) * closenessOf(met, stem);
      places.push({ at: at + Math.max(0, run.toLowerCase().indexOf(word)), of: met.stem, worth });
    }
  }
  return places.sort((a, b) => a.at - b.at);
}
