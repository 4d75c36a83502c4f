/** Every rule of the socket again, where another process keeps the topics. */
import { keepRulesRoomsAway } from "#test/phoenix/rules-room.ts";

keepRulesRoomsAway();
await import("../rules.test.ts");
