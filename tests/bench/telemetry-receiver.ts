import { serveHttp } from '@pfq/kit/http';

/** A collector that takes everything and looks at nothing, so that what is measured is the senders' part. */
const server = await serveHttp({
  handler: (request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  },
  host: '127.0.0.1',
  port: 0,
  connectionAgeMs: null,
});
process.on('disconnect', () => process.exit());
process.send?.(server.port);
