// CommonJS: a guard walks its round; where it stands is told by pose(), and a disc comes into its way.
//
//     patrol.cjs [CONTROL], compiled by tsc
import { Client, ReplanError, waypoints } from "replan";

async function patrol(client: Client): Promise<void> {
  const world = await client.createWorld("yard", { width: 30, height: 20, resolution: 0.5 });
  const guard = await world.openAgent("guard", { start: [1, 1], goal: waypoints([[14, 1], [14, 9], [1, 9]]), radius: 0.5 });
  await world.putDisc(1, 7, 1, 1, 0, { ttlMs: 60000 });
  const first = await guard.answer();
  console.log(`to waypoint ${first.waypoint}: ${first.outcome}, ${first.cost?.toFixed(1)} cells`);
  await guard.pose(14, 1);
  const next = await guard.answer();
  console.log(`to waypoint ${next.waypoint}: ${next.outcome}, ${next.cost?.toFixed(1)} cells`);
  await world.remove();
}

async function main(): Promise<void> {
  const client = await Client.connect(process.argv[2]);
  try {
    await patrol(client);
  } catch (error) {
    console.log(error instanceof ReplanError ? error.sentence : error);
  } finally {
    client.close();
  }
}

void main();
