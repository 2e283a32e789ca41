import { expect, test } from "vitest";
import { closing, connectHostile } from "../servers.js";

const urisOf = async (habit: string) => {
  const connection = closing(connectHostile(habit));
  await connection.ready;
  return connection.resources();
};

test("the addresses of a server's resources are read from every page, without what no address has", async () => {
  expect(await urisOf("has resources")).toEqual([expect.stringMatching(/^menu:\/\/monday/), "menu://friday"]);
  expect((await urisOf("has resources"))[0]).not.toContain("\x1b");
});

test("a server without resources is not asked, and a list without an end is left", async () => {
  expect(await urisOf("none")).toEqual([]);
  expect(await urisOf("has resources without end")).toHaveLength(10);
});

test("a connection that was closed rejects as a call does", async () => {
  const connection = closing(connectHostile("has resources"));
  await connection.ready;
  await connection.close();

  await expect(connection.resources()).rejects.toMatchObject({ code: "MCP_DISCONNECTED" });
});
