// The tables, one step of their history after the other. A step that has been released is never edited: a new one follows.

/** Each step as SQL; `s` is the quoted schema. */
export const MIGRATIONS: readonly ((s: string) => string)[] = [
  (s) => `
-- Who may hold locks: one row for each store of a process, renewed while it lives.
CREATE TABLE ${s}.lock_holders (id text PRIMARY KEY, alive_until timestamptz NOT NULL) WITH (fillfactor = 50);

-- Looks at the newest state, whatever the snapshot of the statement that calls it.
CREATE FUNCTION ${s}.is_alive(holder text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN EXISTS (SELECT 1 FROM ${s}.lock_holders h WHERE h.id = holder AND h.alive_until > clock_timestamp());
END $$;

CREATE TABLE ${s}.sessions (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  entries bigint NOT NULL DEFAULT 0,
  created_at double precision,
  updated_at double precision,
  appended_at timestamptz,
  holder text,
  fence bigint NOT NULL DEFAULT 0,
  asking boolean NOT NULL DEFAULT false,
  stale boolean NOT NULL DEFAULT false,
  UNIQUE (tenant, id)
) WITH (fillfactor = 70);
CREATE INDEX sessions_stale ON ${s}.sessions (tenant) WHERE stale;

CREATE TABLE ${s}.session_entries (
  session bigint NOT NULL REFERENCES ${s}.sessions (key) ON DELETE CASCADE,
  n bigint NOT NULL,
  append uuid NOT NULL,
  entry text NOT NULL,
  PRIMARY KEY (session, n)
);

-- What waits for an answer, as far as sessions that are not stale know.
CREATE TABLE ${s}.questions (
  session bigint NOT NULL REFERENCES ${s}.sessions (key) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  asked_at double precision NOT NULL,
  place integer NOT NULL,
  request text NOT NULL,
  PRIMARY KEY (session, id)
);
CREATE INDEX questions_of_tenant ON ${s}.questions (tenant, asked_at, session, place);

CREATE SEQUENCE ${s}.task_revisions;
CREATE TABLE ${s}.tasks (
  tenant text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  task text NOT NULL,
  changed_by uuid NOT NULL,
  changed_at timestamptz NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (tenant, list, id)
);
CREATE INDEX tasks_changed ON ${s}.tasks (tenant, list, changed_at);

CREATE TABLE ${s}.fact_books (
  tenant text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  changed_by uuid,
  result text,
  PRIMARY KEY (tenant, name)
);
CREATE TABLE ${s}.facts (
  tenant text COLLATE "C" NOT NULL,
  book text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  fact text NOT NULL,
  PRIMARY KEY (tenant, book, id)
);
`,
  (s) => `
-- A run of a fleet, from its start to its end, over all its attempts.
CREATE TABLE ${s}.fleet_runs (
  id text COLLATE "C" PRIMARY KEY,
  tenant text COLLATE "C",
  session text COLLATE "C" NOT NULL,
  queue text NOT NULL,
  priority integer NOT NULL,
  version text NOT NULL,
  input text NOT NULL,
  context text,
  status text NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  owner uuid,
  worker text,
  begun_after text,
  is_cancelled boolean NOT NULL DEFAULT false,
  is_behind boolean NOT NULL DEFAULT false,
  last_seq bigint NOT NULL DEFAULT 0,
  result text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 80);
CREATE INDEX fleet_runs_of_tenant ON ${s}.fleet_runs (tenant, created_at);
CREATE INDEX fleet_runs_behind ON ${s}.fleet_runs (session, created_at) WHERE is_behind;
CREATE INDEX fleet_runs_open ON ${s}.fleet_runs (version, status) WHERE status IN ('queued', 'running', 'needs-approval');

CREATE TABLE ${s}.fleet_events (
  run text COLLATE "C" NOT NULL REFERENCES ${s}.fleet_runs (id) ON DELETE CASCADE,
  seq bigint NOT NULL,
  event text NOT NULL,
  PRIMARY KEY (run, seq)
);
CREATE TABLE ${s}.fleet_questions (
  id text COLLATE "C" NOT NULL,
  run text COLLATE "C" NOT NULL REFERENCES ${s}.fleet_runs (id) ON DELETE CASCADE,
  PRIMARY KEY (id, run)
);
CREATE INDEX fleet_questions_of_run ON ${s}.fleet_questions (run);
CREATE TABLE ${s}.fleet_answers (
  run text COLLATE "C" NOT NULL REFERENCES ${s}.fleet_runs (id) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  answer text NOT NULL,
  is_used boolean NOT NULL DEFAULT false,
  PRIMARY KEY (run, id)
);

-- Whose a session is, and the run that uses it now.
CREATE TABLE ${s}.fleet_sessions (
  id text COLLATE "C" PRIMARY KEY,
  tenant text COLLATE "C",
  run text COLLATE "C"
);
CREATE TABLE ${s}.fleet_workers (
  id text COLLATE "C" PRIMARY KEY,
  version text NOT NULL,
  alive_until timestamptz NOT NULL
) WITH (fillfactor = 50);
`,
  (s) => `
-- What cancelled runs of a fleet have asked: it is still open in their sessions, and nobody is to answer it.
CREATE TABLE ${s}.withdrawn_questions (
  id text COLLATE "C" PRIMARY KEY,
  tenant text COLLATE "C"
);
`,
  (s) => `
-- What users have used in each period, whose bounds are milliseconds since the epoch.
CREATE TABLE ${s}.usage (
  tenant text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  begins bigint NOT NULL,
  ends bigint NOT NULL,
  tokens bigint NOT NULL,
  cost_usd double precision NOT NULL,
  PRIMARY KEY (tenant, name, begins, ends)
) WITH (fillfactor = 80);
`,
];
