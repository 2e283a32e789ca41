"""What a job of Harbor came to: pass rate, dollars a pass, cache share and time.

    python3 score.py jobs/NAME
"""

import json
import sys
from datetime import datetime
from pathlib import Path
from statistics import median


def trials_in(job: Path) -> list[dict]:
    found = []
    for path in sorted(job.glob("*/result.json")):
        try:
            trial = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(trial, dict) and "task_name" in trial:
            found.append(trial)
    return found


def has_passed(trial: dict) -> bool:
    rewards = (trial.get("verifier_result") or {}).get("rewards") or {}
    return rewards.get("reward", 0) >= 1


def seconds_of(trial: dict) -> float | None:
    about = trial.get("agent_execution") or {}
    times = [about.get("started_at"), about.get("finished_at")]
    if not all(times):
        return None
    start, end = (datetime.fromisoformat(time.replace("Z", "+00:00")) for time in times)
    return (end - start).total_seconds()


def score(trials: list[dict]) -> dict:
    """A figure that something is missing for is None, and not a smaller one."""
    results = [trial.get("agent_result") or {} for trial in trials]
    passes = sum(map(has_passed, trials))
    costs = [result.get("cost_usd") for result in results]
    dollars = sum(costs) if costs and None not in costs else None
    read = sum(result.get("n_input_tokens") or 0 for result in results)
    cached = sum(result.get("n_cache_tokens") or 0 for result in results)
    times = [seconds for seconds in map(seconds_of, trials) if seconds is not None]
    return {
        "trials": len(trials),
        "passes": passes,
        "pass_rate": passes / len(trials) if trials else None,
        "dollars": dollars,
        "dollars_a_pass": dollars / passes if dollars is not None and passes else None,
        "cache_share": cached / read if read else None,
        "median_seconds": median(times) if times else None,
    }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 score.py jobs/NAME")
    print(json.dumps(score(trials_in(Path(sys.argv[1]))), indent=2))
