/**
 * Loaded before a program (`node --import`), or imported by it: when the process that started it dies, however
 * suddenly, the program is asked to stop, and is ended if it has not stopped in time.
 */
const POLL_MS = 500;
const TIME_TO_STOP_MS = 15_000;

const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), TIME_TO_STOP_MS).unref();
  process.kill(process.pid, 'SIGTERM');
}, POLL_MS);
watch.unref();
