import { localMachine } from "loopwright/workspace";
import { swapAttacks } from "./swap-attacks.js";

swapAttacks(localMachine);
