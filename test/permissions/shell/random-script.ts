// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for a shell
/**
 * Random bash scripts, over the whole syntax, that can do no harm: the programs they name do not exist, and the names they write
 * to are plain and relative. `depth` bounds how deep constructs stand in each other.
 */
export function randomScript(random: Random, depth: number): string {
  const generator = new Generator(random);
  const statements = Array.from({ length: 1 + random.below(3) }, () => generator.statement(depth));
  return generator.join(statements);
}

/** A small generator of numbers that a seed repeats (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}

/** A piece of a script, and the bodies of here-documents due after its line. */
interface Piece {
  readonly text: string;
  readonly bodies: string;
}

class Generator {
  readonly #random: Random;
  readonly #functions: string[] = [];
  #hereDocuments = 0;
  #loops = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  join(pieces: readonly Piece[]): string {
    const { text, bodies } = this.#list(pieces);
    return bodies === "" ? text : `${text}\n${bodies}`;
  }

  statement(depth: number): Piece {
    const kind = this.#random.below(depth > 0 ? 33 : 9);
    if (kind < 8) return this.#simple(depth);
    if (kind === 8) return this.#builtin(depth);
    if (kind < 13) return this.#operators(depth);
    if (kind < 15) return this.#wrapped(depth);
    return this.#compound(depth, kind - 15);
  }

  #list(pieces: readonly Piece[]): Piece {
    let text = "";
    let bodies = "";
    for (const [index, piece] of pieces.entries()) {
      text += piece.text;
      bodies = bodies + piece.bodies;
      if (index === pieces.length - 1) break;
      if (bodies !== "") {
        text += `\n${bodies}`;
        bodies = "";
      } else text += this.#random.pick(["; ", ";", "\n", " ;\n", " & ", "\n\n", " # a ; p9 $(p8)\n"]);
    }
    return { text, bodies };
  }

  /** A list inside a construct that ends with a word of its own. */
  #block(depth: number): string {
    const pieces = Array.from({ length: 1 + this.#random.below(2) }, () => this.statement(depth - 1));
    const { text, bodies } = this.#list(pieces);
    return bodies === "" ? `${text}${this.#random.pick(["; ", "\n"])}` : `${text}\n${bodies}`;
  }

  #operators(depth: number): Piece {
    const left = this.statement(depth - 1);
    const right = this.statement(depth - 1);
    const operator = this.#random.pick([" && ", "||", " | ", " |& ", " &&\n", "|"]);
    if (operator.includes("\n") && left.bodies !== "") return left;
    const negated = this.#random.chance(0.1) ? "! " : this.#random.chance(0.05) ? "time " : "";
    return { text: `${negated}${left.text}${operator}${right.text}`, bodies: left.bodies + right.bodies };
  }

  #simple(depth: number): Piece {
    const { text, bodies } = this.#redirects(depth);
    const assignments = this.#random.chance(0.15) ? `${this.#variable()}=${this.#word(depth)} ` : "";
    const before = text !== "" && this.#random.chance(0.2) && bodies === "" ? `${text} ` : "";
    const words = Array.from({ length: this.#random.below(3) }, () => ` ${this.#word(depth)}`).join("");
    return { text: `${before}${assignments}${this.#program(depth)}${words}${before === "" ? text : ""}`, bodies };
  }

  #redirects(depth: number): Piece {
    if (this.#random.chance(0.8)) return { text: "", bodies: "" };
    switch (this.#random.below(7)) {
      case 0:
        return { text: ` > f${this.#random.below(3)}`, bodies: "" };
      case 1:
        return { text: " 2>&1 >/dev/null", bodies: "" };
      case 2:
        return { text: ` <<< ${this.#word(depth)}`, bodies: "" };
      case 3:
        return { text: ` < <(${this.#inline(depth)})`, bodies: "" };
      case 4:
        return { text: ` >> "f $(${this.#inline(depth)})"`, bodies: "" };
      case 5:
        return { text: " {fd}>f1 &>f2", bodies: "" };
      default:
        return this.#hereDocument(depth);
    }
  }

  #hereDocument(depth: number): Piece {
    const end = `E${this.#hereDocuments++}`;
    const quoted = this.#random.pick([end, `'${end}'`, `"${end}"`, `\\${end}`]);
    const dash = this.#random.chance(0.3) ? "-" : "";
    const line = this.#random.pick([
      "plain text",
      `a $(${this.#inline(depth)}) b`,
      `\`p${this.#digit()} x\``,
      "$((1 + 2)) \\$(p9) '$(p8)'",
      `\${v:-$(${this.#inline(depth)})}`,
    ]);
    return { text: ` <<${dash}${quoted}`, bodies: `${line}\n${dash === "" ? "" : "\t"}${end}\n` };
  }

  /** One line without here-documents, for substitutions. */
  #inline(depth: number): string {
    if (depth <= 0) return `p${this.#digit()}`;
    const piece = this.statement(depth - 1);
    return piece.bodies === "" ? ` ${piece.text} `.replace(/^ (?!\()/, "") : `${piece.text}\n${piece.bodies}`;
  }

  #program(depth: number): string {
    if (this.#functions.length > 0 && this.#random.chance(0.15)) return this.#random.pick(this.#functions);
    const digit = this.#digit();
    return this.#random.pick([
      `p${digit}`,
      `p${digit}`,
      `p${digit}`,
      `'p${digit}'`,
      `"p${digit}"`,
      `p\\${digit}`,
      `p"${digit}"''`,
      `$'p\\x3${digit}'`,
      `p\\\n${digit}`,
      `{p${digit},x}`,
      `$"p${digit}"`,
      this.#rare(`$${this.#variable()}`, `p${digit}`),
      this.#rare(`$(${this.#inline(depth)})p${digit}`, `p${digit}`),
      this.#rare(`\${v:+x} p${digit}`, `p${digit}`),
    ]);
  }

  #word(depth: number): string {
    if (depth <= 0 || this.#random.chance(0.5)) return this.#plainWord();
    const inner = () => this.#inline(depth - 1);
    return this.#random.pick([
      () => `$(${inner()})`,
      () => `"$(${inner()})"`,
      () => `"a $(${inner()}) b"`,
      () => `\`p${this.#digit()} a\``,
      () => `"\`p${this.#digit()} 'a b'\`"`,
      () => `\`p${this.#digit()} \\\`p${this.#digit()}\\\`\``,
      () => `<(${inner()})`,
      () => `>(${inner()})`,
      () => `\${v:-$(${inner()})}`,
      () => `"\${v:=$(${inner()})}"`,
      () => `\${v/$(${inner()})/x}`,
      () => `\${v#"$(${inner()})"}`,
      () => this.#rare(`$((1+$(${inner()})))`, "$((m+1))"),
      () => this.#rare(`$[2+$(${inner()})]`, "$[m+1]"),
      () => this.#rare(`$((a[$(${inner()})]))`, "$((a[m]))"),
      () => this.#rare(`\${a[$(${inner()})]}`, `\${a[m]:-$(${inner()})}`),
      () => this.#rare(`\${v:$(${inner()}):1}`, "${v:1:2}"),
      () => `{x,$(${inner()})}`,
      () => this.#rare(`@(x|$(${inner()}))`, `"@(x|$(${inner()}))"`),
      () => `a$(${inner()})"$v"`,
      () => `$(<f1)`,
      () => `$(\n${inner()}\n)`,
    ])();
  }

  #plainWord(): string {
    const variable = this.#variable();
    return this.#random.pick([
      "a",
      "-x",
      "--long=b",
      "'a b'",
      '"a  b"',
      "a\\ b",
      "$'a\\tb'",
      "''",
      "{a,b}",
      "x{1..3}",
      "a{b,c{d,e}}",
      "{a}",
      "*",
      "f?",
      "[ab]*",
      "\\*",
      "'$(p9)'",
      '"\\$(p9)"',
      "\\$\\(p9\\)",
      "a#b",
      "'#'",
      `$${variable}`,
      `"$${variable}"`,
      `\${${variable}}`,
      `\${#${variable}}`,
      `\${${variable}:-d}`,
      `\${${variable}^^}`,
      `\${${variable}@Q}`,
      `\${!${variable}*}`,
      "$((1+2))",
      "$((m++))",
      "$?",
      '"$@"',
      "a=b",
      "}",
      "!",
      "-",
      "a\\\nb",
      "%1",
      "é",
      "{a,'b c'}",
      "{1..2}{x,y}",
      "{c..a}",
      "{1..5..2}",
      "{-1..1}{,x}",
      "a{b,$v}c",
      `"\${${variable}%.ts}"`,
      `\${${variable}##*/}`,
      `"\${${variable}:0:2}"`,
      "p$((m * 2))q",
      '"${#v}p"',
      "$",
    ]);
  }

  #variable(): string {
    return this.#random.pick(["v", "w", "i"]);
  }

  /** What makes a script opaque comes seldom, so that most scripts are compared. */
  #rare(text: string, plain: string): string {
    return this.#random.chance(0.1) ? text : plain;
  }

  #digit(): number {
    return this.#random.below(8);
  }

  #compound(depth: number, kind: number): Piece {
    const block = () => this.#block(depth);
    const text = [
      () => `( ${block()})`,
      () => `{ ${block()}}`,
      () =>
        `if ${block()}then ${block()}${this.#random.chance(0.5) ? `elif ${block()}then ${block()}` : ""}else ${block()}fi`,
      () => `while ${block()}do ${block()}break; done`,
      () => `until ${block()}do ${block()}break; done`,
      () => `for v in ${this.#word(depth)} ${this.#word(depth)}; do ${block()}done`,
      () => this.#countedLoop(block()),
      () =>
        `case ${this.#word(depth)} in ${this.#plainPattern()}) ${block()}${this.#random.pick([";;", ";&", ";;&"])} *) ${block()}esac`,
      () =>
        `case "$v$(${this.#inline(depth)})" in (a|"$w") ${block()};;\n  [[:alpha:]]*|?) ${block()};; esac${this.#random.pick(["", " > f1", " && p1"])}`,
      () => `[[ ${this.#test(depth)} ]] && { ${block()}} || [[ ! ( ${this.#test(depth)} ) ]]`,
      () => `if (( m < 3 && m >= 0 )); then ${block()}elif ((~m, 16#ff)); then ${block()}fi`,
      () => `[[ ${this.#test(depth)} ]]`,
      () =>
        `(( ${this.#random.pick(["1+1", "m = m + 1", "m++ > 2 ? 1 : 0", this.#rare(`a[$(${this.#inline(depth)})]`, "m"), this.#rare(`$(${this.#inline(depth)}) + 1`, "v")])} ))`,
      () => this.#function(depth),
      () => `coproc { ${block()}}`,
      () => `{ ${block()}} > f2 2>&1`,
      () => `( ${block()}) < <(${this.#inline(depth)})`,
      () => `select v in a b; do ${block()}break; done`,
    ][kind]!();
    return { text, bodies: "" };
  }

  /** A variable of its own: an inner loop that sets the outer's never ends. */
  #countedLoop(block: string): string {
    const name = `n${this.#loops++}`;
    return `for ((${name}=0; ${name}<2; ${name}++)); do ${block}done`;
  }

  #plainPattern(): string {
    return this.#random.pick(["a", "*", "a|b", "[ab]*", '"a b"', "(x", "@(a|b)"]);
  }

  #test(depth: number): string {
    const word = () => this.#word(depth);
    return this.#random.pick([
      () => `-n ${word()}`,
      () => `${word()} == a*`,
      () => `a == @(a|$(${this.#inline(depth)}))`,
      () => this.#rare(`i -lt $(${this.#inline(depth)})`, "1 -lt 3"),
      () => `1 -eq 2 || -z ${word()}`,
      () => `! ( a < b ) && -f ${word()}`,
      () => `$v =~ ^[a-z]+$`,
      () => `m -lt 3`,
      () => `${word()} != *[!a-z]* && -n ${word()}`,
      () => `"a b" < ${word()} || f1 -nt f2`,
    ])();
  }

  #function(depth: number): string {
    const name = `g${this.#functions.length}`;
    const body = this.#block(depth);
    const text = this.#random.pick([`${name}() { ${body}}`, `function ${name} { ${body}}`, `${name} () ( ${body})`]);
    this.#functions.push(name);
    return text;
  }

  #builtin(depth: number): Piece {
    const word = () => this.#word(depth);
    const code = () => quote(this.join([this.statement(depth - 1)]));
    const text = this.#random.pick([
      () => `eval ${code()}`,
      () => `eval "p${this.#digit()} a;" p${this.#digit()}`,
      () => this.#opaqueBuiltin(),
      () => `trap ${code()} ${this.#random.pick(["EXIT", "ERR", "DEBUG"])}`,
      () => `command p${this.#digit()} ${word()}`,
      () => `command -p p${this.#digit()}`,
      () => `builtin echo ${word()}`,
      () => `builtin eval ${code()}`,
      () => `declare ${this.#random.pick(["v", "-a w", "-r z"])}=${word()}`,
      () => `export v=${word()}`,
      () => `v=${word()}`,
      () => `v=(${word()} [2]=x ${word()})`,
      () => this.#rare(`a[$(p${this.#digit()})]=1`, "a[m]=1"),
      () => `v+=${word()}`,
      () => `let ${this.#random.pick(["m=1", "'m=m+1'", "m++"])}`,
      () => `printf -v ${this.#random.pick(["v", "w"])} x`,
      () => `read ${this.#random.pick(["v", "-r w"])} <<< x`,
      () => `test -v ${this.#random.pick(["v", "w"])}`,
      () => `unset ${this.#random.pick(["v", "w"])}`,
      () => `set -- ${word()} ${word()}`,
      () => `set ${this.#random.pick(["-f", "-u", "-o pipefail", "-e"])}`,
      () => `shopt -s ${this.#random.pick(["nullglob", "globstar"])}`,
      () => `cd ${this.#random.pick([".", "nowhere", "-P ."])} && p${this.#digit()}`,
      () => `exec 3> f1`,
      () => `: ${word()}`,
      () => `echo ${word()} ${word()}`,
      () => `[ ${word()} = a ]`,
    ])();
    return { text, bodies: "" };
  }

  /** Text that builtins and expansions evaluate, where nobody would look for a command. */
  #opaqueBuiltin(): string {
    return this.#random.pick([
      "let 'a[$(p1)]=1'",
      "printf -v 'a[$(p2)]' x",
      "read 'a[$(p3)]' <<< x",
      "test -v 'a[$(p4)]'",
      "unset 'a[$(p5)]'",
      "set +B; p1 {a,b}",
      "set -k; p1 PATH=x",
      "shopt -s extglob; p1 @(a|b)",
      "shopt -s dotglob lastpipe",
      "mapfile -c 1 -C p6 v <<< x",
      "mapfile -c 1 -C 'p7 x;' v <<< x",
      "x='a[$(p1)]'; echo $((x))",
      "x='$(p2)'; echo \"${x@P}\"",
      "x='a[$(p3)]'; echo \"${!x}\"",
      "declare -n r='a[$(p4)]'; r=1",
      "declare -i v='a[$(p5)]'",
      "[[ 'a[$(p6)]' -eq 1 ]]",
      "shopt -s expand_aliases\nalias p1=p2\np1",
      "compgen -W '$(p7)'",
      "x=a; y='x[$(p1)]'; (( y ))",
      "export -f command_not_found_handle; p1",
      "jobs -x p3 a",
      "v='$(p1)'; eval \"$v\"",
    ]);
  }

  /** Programs that start others; the recording shell plays them. */
  #wrapped(depth: number): Piece {
    const program = `p${this.#digit()}`;
    const word = () => this.#word(depth);
    const code = () => quote(this.join([this.statement(depth - 1)]));
    const text = this.#random.pick([
      () => `env A=1 ${program} ${word()}`,
      () => `env ${program}`,
      () => `nice -n 3 ${program} ${word()}`,
      () => `timeout 5 nohup ${program}`,
      () => `nohup ${program} ${word()}`,
      () => `xargs ${program} a`,
      () => `sudo ${program} ${word()}`,
      () => `bash -c ${code()}`,
      () => `bash -c ${code()} name ${word()}`,
      () => `bash <<< ${code()}`,
      () => this.#rare(`bash -c "${program} $v"`, program),
      () => `timeout 5 bash -c ${code()}`,
      () => `bash -ec ${code()}`,
    ])();
    return { text, bodies: "" };
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
