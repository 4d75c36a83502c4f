/** Everything that holds in a room again, where another process keeps it. */
import { keepVoiceAway } from "./test-rooms.ts";

keepVoiceAway();
await import("./room-channel.test.ts");
await import("./late-join.test.ts");
await import("./changes.test.ts");
await import("./lobby.test.ts");
await import("./reserve.test.ts");
await import("./apart.test.ts");
