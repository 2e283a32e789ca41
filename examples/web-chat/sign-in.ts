// A sign-in for an example: anybody may be anybody. The cookie is signed, so that nobody becomes somebody else without it.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export class SignIn {
  readonly #secret: Buffer;

  /** `file`: where the secret of the signatures is, so that a restart signs nobody out. */
  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true });
    try {
      writeFileSync(file, randomBytes(32), { flag: "wx", mode: 0o600 });
    } catch {
      // It is there.
    }
    this.#secret = readFileSync(file);
  }

  /** Who has sent a request, by its cookie. */
  userOf({ headers }: Request): { id: string } | null {
    const [, id, signature] = /(?:^|; )user=([a-z]+)\.([\da-f]{64})(?:;|$)/.exec(headers.get("cookie") ?? "") ?? [];
    if (id === undefined || !timingSafeEqual(Buffer.from(signature!, "hex"), this.#sign(id))) return null;
    return { id };
  }

  /** `GET /me`, `POST /sign-in { name }`, `POST /sign-out`; `null` for anything else. */
  async handle(request: Request): Promise<Response | null> {
    const { pathname, origin } = new URL(request.url);
    const route = `${request.method} ${pathname}`;
    if (route === "GET /me") {
      const user = this.userOf(request);
      return user ? Response.json(user) : new Response(null, { status: 401 });
    }
    if (route !== "POST /sign-in" && route !== "POST /sign-out") return null;
    if (request.headers.get("origin") !== origin) return new Response(null, { status: 403 });
    if (route === "POST /sign-out") return withCookie("user=; Max-Age=0");
    const { name } = (await request.json().catch(() => ({}))) as { name?: unknown };
    const id = typeof name === "string" ? name.trim().toLowerCase() : "";
    if (!/^[a-z]{1,20}$/.test(id)) return new Response(null, { status: 400 });
    return withCookie(`user=${id}.${this.#sign(id).toString("hex")}`);
  }

  #sign(id: string): Buffer {
    return createHmac("sha256", this.#secret).update(id).digest();
  }
}

function withCookie(cookie: string): Response {
  const headers = { "set-cookie": `${cookie}; HttpOnly; SameSite=Strict; Path=/` };
  return new Response(null, { status: 204, headers });
}
