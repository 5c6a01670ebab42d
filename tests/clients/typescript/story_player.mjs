// Plays clients/story.json with the TypeScript client, by the lines of story_player.py.
// usage: node story_player.mjs CONTROL
import { createInterface } from "node:readline";
import { Client, ReplanError, v1 } from "replan";

const PATIENCE_MS = 60000;
const client = await Client.connect(process.argv[2], { timeoutMs: 120000 });
let watch;
let mirror;

const acts = {
  async call(hex) {
    const { id, life, deadlineMs, ...body } = v1.Request.decode(Buffer.from(hex, "hex"));
    try {
      await client.request(body);
      return "reply OK";
    } catch (error) {
      return `reply ${error.status}`;
    }
  },
  async watch(world, agent) {
    watch = await client.world(world).watch(agent);
    return "ok";
  },
  async mirror(world) {
    mirror = await client.world(world).mirror();
    return "ok";
  },
  async answer() {
    try {
      const found = await watch.nextAnswer(PATIENCE_MS);
      return found === null ? "none" : `answer ${found.agent} ${found.outcome} ${found.cost ?? -1} ${found.epoch} ${found.version}`;
    } catch (error) {
      return `gone ${error.sentence}`;
    }
  },
  async cells(version, epoch) {
    while (!(mirror.isWhole && mirror.epoch >= Number(epoch) && mirror.version >= Number(version))) {
      try {
        if (!(await mirror.follow(PATIENCE_MS))) {
          return "none";
        }
      } catch (error) {
        if (!(error instanceof ReplanError) || error.status !== "UNKNOWN") { // once: then it waits for the world
          throw error;
        }
      }
    }
    return `cells ${mirror.epoch} ${mirror.version} ${mirror.data.filter((byte) => byte === 0).length}`;
  },
  async lost() {
    return `lost ${watch.lost.join(" | ")}`;
  },
};

for await (const line of createInterface(process.stdin)) {
  const [word, ...words] = line.split(" ");
  console.log(await acts[word](...words));
}
client.close();
