import { expect, test } from "vitest";
import { isReadOnly, texts } from "../../kit.js";

test.each([
  "docker ps",
  "docker ps -a --format '{{.Names}}'",
  "docker images -q",
  "docker network ls",
  "docker version",
])("only lists: %s", (line) => {
  expect(isReadOnly(line)).toBe(true);
});

test.each([
  "docker run x ls",
  "docker -H tcp://x ps",
  "docker inspect x",
  "docker logs x",
  "docker rm x",
  "kubectl get pods",
])("needs a rule: %s", (line) => {
  expect(isReadOnly(line)).toBe(false);
});

test("what runs in a container is listed after what starts it", () => {
  expect(texts("docker exec -it web rm -rf /data")).toEqual(["docker exec -it web rm -rf /data", "rm -rf /data"]);
});
