export const HELP_TEXT = `loopwright: a coding agent in your terminal

Usage
  loopwright [options] ["prompt"]        talk to the agent in this directory
  loopwright -p [options] ["prompt"]     run one prompt, print the answer, end; what is piped in is added to the prompt
  loopwright demo                        watch it work on a small package: recorded, no key, no network
  loopwright sessions                    list this project's sessions
  loopwright inspect [<session>]         write a session as a page to look through; --serve keeps it up to date
  loopwright trust                       show what this project asks for, and ask again whether it may have it
  loopwright migrate                     make or update the tables of a PostgreSQL database, for fleets

Options
  -m, --model <vendor/model>     the model, such as anthropic/claude-sonnet-5, openai/gpt-5.1, google/gemini-2.5-pro
  -C, --dir <directory>          the project; default: the current directory
      --add-dir <directory>      a further directory the agent may read and change; can be repeated
      --plugin-dir <directory>   load this plugin and trust it this time; can be repeated
  -c, --continue                 go on with this project's newest session
  -r, --resume <session|file>    go on with a session, or with a file of Claude Code, Codex, pi or opencode
      --permission-mode <mode>   default, acceptEdits, plan, dontAsk or bypassPermissions
      --allowed-tools <rules>    calls that need no approval, such as "Bash(npm test) Edit"; can be repeated
      --disallowed-tools <rules> calls that never run; can be repeated
      --max-turns <n>            stop after this many model calls; default: 50
      --max-cost <dollars>       stop at this cost; for models whose price is known
      --max-tokens <n>           stop at this many tokens, read and written; for every model
      --budget <amount>          of the session while it is open: 2.50 dollars, or 200k tokens
      --sandbox                  run commands in the operating system's sandbox
      --docker <image>           run the tools in a container of this image, on this directory, without a network
      --docker-network           with --docker: give the container the engine's network
      --ssh <user@host:/dir>     the project is on this host: run the tools there
      --trust-project            let the project's own hooks, allow rules, skills, agents and servers count this time
      --init                     run the project's Setup hooks first
  -p, --print                    do not talk: run the prompt and end
      --output-format <format>   with -p: text, json or stream-json; with sessions: text or json
  -o, --out <file>               with inspect: where the page is written
      --serve                    with inspect: serve the page on this machine until Ctrl+C
      --database-url <url>       with migrate: the database; default: DATABASE_URL
  -h, --help                     this text
  -v, --version                  the version

Models
  --model, LOOPWRIGHT_MODEL, "model" in settings.json, or the first key found: ANTHROPIC_API_KEY, OPENAI_API_KEY (or
  OPENAI_BASE_URL for a server that speaks the same protocol), GEMINI_API_KEY.
  Servers, models and names of your own are in ~/.loopwright/models.json.

Files
  .claude/settings.json, .mcp.json, AGENTS.md, CLAUDE.md, skills and agents of the project and of your home directory.
  Plugins are in ~/.loopwright/plugins and .loopwright/plugins; Claude Code's are found, too. /plugins lists them.
  Sessions and facts are in ~/.loopwright; LOOPWRIGHT_HOME moves them.
  LOOPWRIGHT_TRACE=<file> writes what runs do, line by line and without secrets; 1 writes it to standard error.

Exit codes
  0 done · 1 failed or stopped at a limit · 2 wrong usage or no model · 3 done, but calls that need approval were not run
  130 interrupted · 143 terminated
`;
