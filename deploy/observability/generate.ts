import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { boardFile } from './boards/board.ts';
import { DEPENDENCIES } from './boards/dependencies.ts';
import { INSURED_JOURNEY } from './boards/insured-journey.ts';
import { OVERVIEW } from './boards/overview.ts';
import { QUOTE_PRICING } from './boards/quote-pricing.ts';
import { rulesFile } from './rules/write-rules.ts';

/** Writes what Prometheus and Grafana read into a folder: the rules and the dashboards. */
export function generateObservability(folder: string): void {
  mkdirSync(path.join(folder, 'dashboards'), { recursive: true });
  writeFileSync(path.join(folder, 'alerts.yaml'), rulesFile());
  for (const board of [OVERVIEW, QUOTE_PRICING, INSURED_JOURNEY, DEPENDENCIES]) {
    writeFileSync(path.join(folder, 'dashboards', `${board.name}.json`), boardFile(board));
  }
}
