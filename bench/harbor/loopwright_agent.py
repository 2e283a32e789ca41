"""loopwright as an agent of Harbor: installs the program in a task's container and runs it there without a person.

    harbor run -d terminal-bench@2.0 --agent-import-path loopwright_agent:Loopwright -m anthropic/claude-sonnet-4-5

It was written from Harbor's public descriptions (read 2026-11) and tested against a stub of its base class; a run under
Harbor itself was not done.
"""

import json
import os
import shlex
from pathlib import Path

from harbor.agents.installed.base import BaseInstalledAgent, with_prompt_template
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext

NODE = "22.12.0"

# What the program looks for to reach a model. Nothing else of this machine's environment goes into the container.
KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "GEMINI_API_KEY")

INSTALL_NODE = f"""
set -e
if ! node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' 2> /dev/null; then
  if command -v apt-get > /dev/null; then
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends curl ca-certificates xz-utils git
  fi
  case "$(uname -m)" in aarch64 | arm64) arch=arm64 ;; *) arch=x64 ;; esac
  curl -fsSL "https://nodejs.org/dist/v{NODE}/node-v{NODE}-linux-$arch.tar.xz" | tar -xJ --strip-components=1 -C /usr/local
fi
"""


class Loopwright(BaseInstalledAgent):
    """`--agent-kwarg package=` another version, as `loopwright@1.2.0`; `max_turns=` and `max_cost=` are limits of each task."""

    SUPPORTS_ATIF: bool = True

    def __init__(self, *args, package: str = "loopwright", max_turns: int = 200, max_cost: float | None = None, **kwargs):
        super().__init__(*args, **kwargs)
        self._package = package
        self._max_turns = max_turns
        self._max_cost = max_cost

    @staticmethod
    def name() -> str:
        return "loopwright"

    def get_version_command(self) -> str | None:
        return "loopwright --version"

    async def install(self, environment: BaseEnvironment) -> None:
        await self.exec_as_root(environment, command=INSTALL_NODE)
        await self.exec_as_root(environment, command=f"npm install --global {shlex.quote(self._package)}")

    @with_prompt_template
    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        logs = str(getattr(self, "environment_logs_dir", "/logs/agent"))
        env = {key: os.environ[key] for key in KEYS if os.environ.get(key)}
        # The session is kept with the logs.
        env["LOOPWRIGHT_HOME"] = f"{logs}/loopwright"
        await self.exec_as_agent(environment, command=self.command(instruction, logs), env=env)

    def command(self, instruction: str, logs: str) -> str:
        """One run, and its trajectory. A run that stops at a limit has a result all the same; only wrong usage is an error."""
        words = ["loopwright", "-p", "--output-format", "json", "--permission-mode", "bypassPermissions"]
        words += ["--max-turns", str(self._max_turns)]
        if self._max_cost is not None:
            words += ["--max-cost", str(self._max_cost)]
        if self.model_name:
            words += ["--model", self.model_name]
        run = shlex.join([*words, "--", instruction])
        result, said, trajectory = (shlex.quote(f"{logs}/{name}") for name in ("result.json", "stderr.txt", "run.atif.json"))
        return (
            f"mkdir -p {shlex.quote(logs)}; {run} < /dev/null > {result} 2> {said}; code=$?; "
            f"loopwright inspect --out {trajectory} && mv {trajectory} {shlex.quote(f'{logs}/trajectory.json')}; "
            f'if [ "$code" -eq 2 ]; then cat {said} >&2; exit 2; fi'
        )

    def populate_context_post_run(self, context: AgentContext) -> None:
        result = read_result(Path(self.logs_dir) / "result.json")
        usage = result.get("usage", {})
        context.n_input_tokens = usage.get("inputTokens", 0)
        context.n_cache_tokens = usage.get("cacheReadTokens", 0)
        context.n_output_tokens = usage.get("outputTokens", 0)
        # None when the model's price is not known: no sum of it would be right.
        context.cost_usd = result.get("costUsd")


def read_result(path: Path) -> dict:
    """Nothing of a run that was killed before it could say how it ended."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return result if isinstance(result, dict) else {}
