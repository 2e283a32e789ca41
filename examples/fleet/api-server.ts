// The page of examples/web-chat in front of the fleet. It starts runs and reads their events; it needs no model and no tools.
import { createFleet } from "loopwright/fleet";
import { createPostgresSessionStore } from "loopwright/sessions/postgres";
import { Pool } from "pg";
import { listen } from "../web-chat/node-server.js";
import { FleetChat } from "./fleet-chat.js";

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const chat = new FleetChat(createFleet({ pool }), createPostgresSessionStore({ pool }));
console.log(`open ${await listen(Number(process.env.PORT ?? 4174), (request) => chat.handle(request))}/`);
