import { forEachChild, type ParsedScript, type SyntaxNode, type WordPart } from "unbash";
import { isPlainOperator } from "../builtins/plain-words.js";
import { hasNestedHereDocument } from "../script/findings.js";
import type { Evaluation, ShellScript } from "../script/script.js";
import { isPlainArithmetic, isPlainText } from "./arithmetic.js";
import { readPlain } from "./read-word.js";
import type { Directories, ShellWord } from "./shell-word.js";
import { WordScope } from "./word-scope.js";

const TEST_ARITHMETIC = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

export class Expansions implements Evaluation {
  readonly #script: ShellScript;
  /** The directories in which the shell stands when it runs a substitution. */
  readonly #directories = new Map<ParsedScript, Directories>();

  constructor(script: ShellScript) {
    this.#script = script;
  }

  scan(node: SyntaxNode, directories: Directories): void {
    switch (node.type) {
      case "CommandExpansion":
      case "ProcessSubstitution":
        this.#substitution(node, directories);
        return;
      case "ArithmeticExpansion":
        if (node.expression) {
          this.arithmetic(node.expression, directories);
          return;
        }
        if (/^\$(?:\(\(\s*\)\)|\[\s*\])$/.test(node.text)) return;
        this.#script.findings.opaque("An arithmetic expression is not understood");
        return;
      case "ParameterExpansion":
        this.#parameter(node, directories);
        break;
      case "ExtendedGlob":
        this.#script.findings.opaque("An extended pattern is read differently with and without extglob");
        break;
      case "Assignment":
        if (node.index) this.index(node.index, directories);
        if (node.value.type === "ArrayValue") {
          for (const element of node.value.elements) this.#arrayElement(element.text);
        }
        break;
      case "SimpleExpansion":
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        return;
      default:
    }
    forEachChild(node, (child) => this.scan(child, directories));
  }

  /** Follows an expression that the shell evaluates as arithmetic. */
  arithmetic(node: SyntaxNode, directories: Directories): void {
    if (!isPlainArithmetic(node, this.#script.variables)) {
      this.#script.findings.opaque("An arithmetic expression evaluates text that is known only at run time");
    }
    this.#scanArithmetic(node, directories);
  }

  /** Follows the index of an array, which is arithmetic unless it is `@` or `*`. */
  index(word: SyntaxNode, directories: Directories): void {
    if (!isPlainArithmetic(word, this.#script.variables)) {
      this.#script.findings.opaque("The index of an array is known only at run time");
    }
    this.scan(word, directories);
  }

  variableName(word: ShellWord): void {
    if (word.value === null) {
      if (!/^[A-Za-z_]\w*=/.test(word.prefix)) {
        this.#script.findings.opaque("The name of a variable is known only at run time");
      }
      return;
    }
    const index = /^\w+\[(.*)\]/s.exec(word.value)?.[1];
    if (index !== undefined && !isPlainText(index, this.#script.variables)) {
      this.#script.findings.opaque("The index of an array is known only at run time");
    }
  }

  #scanArithmetic(node: SyntaxNode, directories: Directories): void {
    if (node.type === "ArithmeticCommandExpansion") {
      this.#substitution(node, directories);
      return;
    }
    if (node.type === "ArithmeticWord") {
      for (const part of node.parts ?? []) this.scan(part as WordPart, directories);
      return;
    }
    forEachChild(node, (child) => this.#scanArithmetic(child, directories));
  }

  #substitution(
    node: Extract<SyntaxNode, { type: "CommandExpansion" | "ProcessSubstitution" | "ArithmeticCommandExpansion" }>,
    directories: Directories,
  ): void {
    if (!node.script) {
      this.#script.findings.opaque("A substitution is not understood");
      return;
    }
    if (hasNestedHereDocument(node.script, false)) {
      // Some versions of bash print such a substitution and read it again, and lose line ends on the way.
      this.#script.findings.opaque(
        "A here-document inside a compound command inside a substitution is read differently by some shells",
      );
    }
    if (node.text.startsWith("${"))
      this.#script.findings.opaque("A substitution in braces is read differently by older shells");
    this.#directories.set(node.script, this.#directories.has(node.script) ? null : directories);
    this.#script.set.within(() => this.#script.script(node.script!, directories));
  }

  directoriesOf(substitution: ParsedScript): Directories {
    return this.#directories.get(substitution) ?? null;
  }

  #parameter(node: Extract<SyntaxNode, { type: "ParameterExpansion" }>, directories: Directories): void {
    const { operation } = node;
    if (node.prefix === "!" && operation?.type !== "Names" && !/^[@*]$/.test(node.index?.text ?? "")) {
      this.#script.findings.opaque("An indirect expansion evaluates text that is known only at run time");
    }
    if (node.index && !/^[@*]$/.test(node.index.text)) this.index(node.index, directories);
    if (operation?.type === "Transform" && !/^[QEAaUuLKk]$/.test(operation.operand.text)) {
      this.#script.findings.opaque('"@P" evaluates a value as a prompt, which may run commands');
    }
    if (operation?.type === "Unknown") this.#script.findings.opaque("An expansion is not understood");
    if (operation?.type !== "Slice") return;
    for (const part of [operation.offset, operation.length]) {
      if (part && !isPlainArithmetic(part, this.#script.variables)) {
        this.#script.findings.opaque("An arithmetic expression evaluates text that is known only at run time");
      }
    }
  }

  #arrayElement(text: string): void {
    if (!text.startsWith("[")) return;
    const index = /^\[([^\]]*)\]\+?=/.exec(text)?.[1];
    if (index === undefined || !isPlainText(index.replace(/^(["'])([\w.\s-]*)\1$/, "0"), this.#script.variables)) {
      this.#script.findings.opaque("The index of an array is known only at run time");
    }
  }

  pattern(node: SyntaxNode, directories: Directories): void {
    if (node.type === "Word" && !node.parts?.some((part) => part.type === "ExtendedGlob")) {
      this.scan(node, directories);
      return;
    }
    if (node.type === "ExtendedGlob" && /\$\(|`|[<>]\(/.test(node.text)) {
      // Some versions of bash undo the quotes inside of it before they read it.
      this.#script.findings.opaque("A substitution inside an extended pattern is read differently by some shells");
    }
    forEachChild(node, (child) => {
      if (child.type === "ExtendedGlob") this.pattern(child, directories);
      else this.scan(child, directories);
    });
  }

  /** Follows the operands of `[[ … ]]`. */
  test(node: SyntaxNode, directories: Directories): void {
    switch (node.type) {
      case "TestBinary":
        this.#operator(node.operator);
        for (const operand of [node.left, node.right]) {
          if (TEST_ARITHMETIC.has(node.operator)) this.index(operand, directories);
          else this.pattern(operand, directories);
        }
        return;
      case "TestUnary":
        this.#operator(node.operator);
        if (/^-[vR]$/.test(node.operator))
          this.variableName(readPlain(node.operand, new WordScope(this.#script, directories)));
        this.scan(node.operand, directories);
        return;
      case "TestLogical":
      case "TestNot":
      case "TestGroup":
        forEachChild(node, (child) => this.test(child, directories));
        return;
      case "Negation":
        return;
      default:
        this.#script.findings.opaque(`"${node.type}" is syntax that this analysis does not know`);
    }
  }

  #operator(operator: string): void {
    // The operands of these were read as arithmetic.
    if (!isPlainOperator(operator) && !TEST_ARITHMETIC.has(operator))
      this.#script.outside("a test has an operator that is not known");
  }
}
