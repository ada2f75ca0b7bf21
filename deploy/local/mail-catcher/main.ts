import { readConfig } from '@pfq/kit/config';
import { runService } from '@pfq/kit/run-service';
import { settings } from './config.ts';
import { start } from './server.ts';

await runService(process, (environment) => start(readConfig(settings, environment)));
