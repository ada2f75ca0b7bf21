import { runService } from '@pfq/kit/run-service';
import { settings } from './config.ts';
import { start } from './server.ts';

await runService(process, { service: 'application', settings, start });
