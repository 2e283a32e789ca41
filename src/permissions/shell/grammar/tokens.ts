// The words of the grammar: which characters represent what. Each matches at one place, and nothing else there.
import { patternWith } from "../../long-pattern.js";

export const TOKEN = {
  /** Spaces, and line ends that a backslash hides between two words. */
  space: /[ \t]+(?:\\\n[ \t]*)*|(?:\\\n[ \t]+)+/y,
  newLine: /\n/y,
  comment: /#[^\n]*/y,
  semicolon: /;(?!;)/y,
  background: /&(?!&)/y,
  pipePrefix: /(?:!|time(?: -p)?)(?=[ \t])/y,
  andOr: /&&|\|\|/y,
  pipe: /\|&?(?!\|)/y,
  keyword: /(?:if|then|elif|else|fi|while|until|for|do|done|case|esac|\[\[|[{}!]|time)(?=[ \t\n;&|)]|$)/y,
  nameIn: /([A-Za-z_]\w*)[ \t]+in(?=[ \t\n;])/y,
  /** `for ((i = 0; i < 10; i++))`: a counter that starts at a number and goes up or down to one. */
  counter: patternWith("y")`\(\([ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*\d+[ \t]*;[ \t]*\1[ \t]*(?:[<>]=?|!=)[ \t]*(?:\d+|
    ([A-Za-z_]\w*))[ \t]*;[ \t]*\1(?:\+\+|--|[ \t]*[+-]=[ \t]*\d+)[ \t]*\)\)`,
  in: /in(?=[ \t\n])/y,
  /** The pattern a word is compared with: text and wildcards. */
  casePattern: /(?:[\w.,%+=:/@^!*?-]|'[^'\n]*'|"[^"\\$`\n]*"|\[[!^]?[\w.-]+\])+/y,
  caseOr: /[ \t]*\|[ \t]*/y,
  esac: /esac(?=[ \t\n;&|)]|$)/y,
  caseEnd: /;;(?![&;])/y,
  assignment: /([A-Za-z_]\w*)=([\w.,:*+-]*)(?=[ \t\n;&|)]|$)/y,
  /** For the shell alone: a program might take it for a setting. */
  otherAssignment: /([A-Za-z_]\w*)=(?=[^ \t\n;&|()<>])/y,
  read: /[ \t]+read[ \t]/y,
  fileRedirect: /\d?(?:>>|>\||>(?![&(])|<(?![<&(>])|&>>?)/y,
  descriptorRedirect: /\d?[<>]&\d(?=[ \t\n;&|)]|$)/y,
  hereString: /\d?<<</y,
  hereDocument: /<<(-?)[ \t]*(?:'([\w.-]+)'|"([\w.-]+)"|([\w.-]+))(?=[ \t\n;&|)<>]|$)/y,

  /** A whole word of it. */
  plainWord: /[\w.,%+=:/@^!-]+(?=[ \t\n;&|)]|$)/y,
  /** Unquoted text that means itself. `~` only where it cannot be a home: in `HEAD~2`, not in `a=~`. */
  plain: /[\w.,%+=:/@^!-]+(?:(?<=[\w^@})])~[\w.^]*)*|(?<=[\w.])#/y,
  escaped: /\\([\x20-\x7e])/y,
  singleQuoted: /'([^']*)'/y,
  /** `$'\t'`, with no other escapes than these. */
  ansiQuoted: /\$'((?:[^'\\\n]|\\[tnr])*)'/y,
  home: /~(?=\/|[ \t\n;&|)]|$)/y,
  wildcards: /(?:[*?]|\[[!^]?(?:[\w.,:@%+=^~-]|\[:[a-z]+:\])+\])+/y,
  bracket: /[[\]]/y,
  /** With lists in a list: `{a,b/{c,d}}`. */
  braces: patternWith("y")`\{(?:[\w./*@:+-]|\{[\w./*@:+-]*(?:,[\w./*@:+-]*)+\})*(?:,(?:[\w./*@:+-]|
    \{[\w./*@:+-]*(?:,[\w./*@:+-]*)+\})*)+\}|\{-?\d+\.\.-?\d+\}|\{[a-z]\.\.[a-z]\}|\{[A-Z]\.\.[A-Z]\}`,
  /** Not braces to the shell: `find -exec … {}`, `stash@{0}`, `HEAD^{tree}`. */
  plainBraces: /\{\}|(?<=[@^])\{[\w-]+\}/y,
  doubleQuotedText: /[^"\\$`]+|\\[^\n]|\$(?=["\s|)\]/.,:;\\])/y,
  /** Numbers that the shell knows: the last status, how many words, processes. */
  number: /\$[?#!$](?!\w)/y,
  /** The exit status of each command of the last pipe. */
  statuses: /\$\{PIPESTATUS\[(?:\d+|[@*])\]\}/y,
  variable: /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/y,
  /** `${name%.ts}`, `${name:0:8}`: in quotes, or as a value, what is left is one word. */
  trimmed: /\$\{[A-Za-z_]\w*(?:(?:##?|%%?)[\w.*/?-]+|:\d+(?::\d+)?)\}/y,
  /** `${#name}` */
  length: /\$\{#[A-Za-z_]\w*\}/y,
  substitution: /\$\((?!\()/y,
  processSubstitution: /<\(/y,
  arithmetic: /\$\(\(/y,
  arithmeticCommand: /\(\(/y,
  /** `[[ $a =~ ^v ]]` */
  matches: /=~(?=[ \t])/y,
  /** With numbers in another base, and every operator but those that assign. */
  arithmeticText: /(?:\d+#\w+|[\w\s+*/%&|^~?:-]|<<|>>|[<>=!]=|[<>!])+/y,
  arithmeticEnd: /\)\)/y,
  loneDollar: /\$(?=[ \t\n;&|)]|$)/y,
  doubleQuote: /"/y,
  descriptorAfterNumber: /(?<=(?:^|[ \t\n;&|()])\d+)[<>]/y,
  wordEnd: /[ \t\n;&|()<>]|\\\n|$/y,
} as const;

/** Characters that bash, the parser and the grammar may each read in their own way. */
export const NOT_TEXT = /[^\P{Cc}\t\n]|\p{Cs}/u;
