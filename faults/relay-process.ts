import { connect, createServer, type Socket } from 'node:net';

/** Forwards a TCP address to a unix socket. On SIGUSR2 it drops all connections silently, like a machine that restarts. */
const [host, port, socketPath] = process.argv.slice(2);
const sockets = new Set<Socket>();

const server = createServer({ noDelay: true }, (near) => {
  const far = connect(socketPath!);
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.add(one);
    one.on('error', () => {});
    one.on('close', () => {
      sockets.delete(one);
      other.destroy();
    });
    one.pipe(other);
  }
});
process.on('SIGUSR2', () => {
  for (const socket of sockets) socket.destroy();
});
server.listen(Number(port), host, () => process.stdout.write('relaying\n'));
