import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateObservability } from '../deploy/observability/generate.ts';
import { EVENT_TOPICS, type Topic } from '../proto/topics.ts';

/** Writes what the chart needs of other folders into its own, which is all that it can read: alerts, dashboards, topics. */
export function generateChartFiles(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  generateObservability(folder);
  writeFileSync(path.join(folder, 'topics.yaml'), topicsFile());
}

function topicsFile(): string {
  const topics = EVENT_TOPICS.flatMap((topic) => [topic, topic.deadLetter]);
  return `# Written by npm run generate from proto/topics.ts.\n${topics.map(writeTopic).join('')}`;
}

function writeTopic({ name, partitions, retentionMs, maxMessageBytes }: Topic): string {
  return `- { name: ${name}, partitions: ${partitions}, retentionMs: ${retentionMs}, maxMessageBytes: ${maxMessageBytes} }\n`;
}
