import { connect, type Socket } from 'node:net';

/** A process of its own: keeps so many sockets open that trickle; the service cuts them at its deadlines, and new ones take their place. */
const [port, size] = process.argv.slice(2).map(Number) as [number, number];
const sockets = new Set<Socket>();
const head = 'POST /warehouse/v1/product/sync HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n';

function join(index: number): void {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  const inBody = index % 2 === 0;
  socket.write(inBody ? `${head}\r\n` : head);
  const trickle = setInterval(() => socket.write(inBody ? 'x' : 'x: y\r\n'), 1000);
  socket.resume();
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(trickle);
    sockets.delete(socket);
    setTimeout(() => join(index), 50);
  });
}

for (let index = 0; index < size; index++) setTimeout(() => join(index), (index / size) * 2000);
setInterval(() => process.send?.(sockets.size), 200);
// The crowd goes with the one that called it.
process.on('disconnect', () => process.exit());
