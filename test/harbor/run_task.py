"""Runs one task with the agent in a directory of its own, in place of a container, and prints what Harbor would keep of it."""

import asyncio
import json
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from loopwright_agent import Loopwright


class Directory(BaseEnvironment):
    """Commands of the agent run here; those of root, which install things, are only kept."""

    def __init__(self, path: Path, env: dict):
        self.path, self.env, self.as_root = path, env, []

    async def exec(self, command, user=None, env=None, **_):
        if user == "root":
            self.as_root.append(command)
            return SimpleNamespace(return_code=0, stdout="", stderr="")
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.path, env={**self.env, **(env or {})}, capture_output=True, text=True
        )
        return SimpleNamespace(return_code=done.returncode, stdout=done.stdout, stderr=done.stderr)


async def main(task: Path, place: Path, logs: Path, path: str, model: str) -> None:
    environment = Directory(place, {"PATH": path, "HOME": str(logs)})
    agent = Loopwright(logs_dir=logs, model_name=model, package="loopwright@1.2.3", max_cost=1)
    context = AgentContext()
    await agent.install(environment)
    started = datetime.now(timezone.utc)
    failure = None
    try:
        await agent.run((task / "instruction.md").read_text(), environment, context)
    except RuntimeError as error:
        failure = str(error)
    agent.populate_context_post_run(context)
    subprocess.run(["sh", str(task / "tests" / "test.sh")], cwd=place, env={"PATH": path, "LOGS": str(logs)}, check=True)
    trial = {
        "task_name": task.name,
        "agent_result": {name: getattr(context, name) for name in ("n_input_tokens", "n_cache_tokens", "n_output_tokens", "cost_usd")},
        "verifier_result": {"rewards": {"reward": float((logs / "verifier" / "reward.txt").read_text())}},
        "agent_execution": {"started_at": started.isoformat(), "finished_at": datetime.now(timezone.utc).isoformat()},
    }
    print(json.dumps({"name": agent.name(), "installs": environment.as_root, "failure": failure, "trial": trial}))


task, place, logs, path, model = sys.argv[1:]
asyncio.run(main(Path(task), Path(place), Path(logs), path, model))
