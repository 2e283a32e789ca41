"""As much of Harbor's base class as an agent meets, after its public description (0.20 to 0.23, read 2026-11)."""

from pathlib import Path


def with_prompt_template(run):
    return run


class BaseInstalledAgent:
    SUPPORTS_ATIF = False

    def __init__(self, logs_dir: Path, model_name: str | None = None):
        self.logs_dir = logs_dir
        self.environment_logs_dir = logs_dir
        self.model_name = model_name

    async def exec_as_root(self, environment, command, **options):
        return await self._exec(environment, command, "root", **options)

    async def exec_as_agent(self, environment, command, **options):
        return await self._exec(environment, command, "agent", **options)

    async def _exec(self, environment, command, user, **options):
        result = await environment.exec(command, user=user, **options)
        if result.return_code != 0:
            raise RuntimeError(f"Command failed (exit {result.return_code}): {result.stderr}")
        return result
