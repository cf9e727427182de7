/**
 * Assembles the response to the single request in flight from socket chunks; the buffer of a chunk may be reused
 * afterwards.
 */
export function makeAnswerReader(
  onAnswer: (status: number, body: Buffer, head: string) => void,
): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let receivedBytes = 0;
  let shape: AnswerShape | null = null;

  return (piece) => {
    receivedBytes += piece.length;
    shape ??= shapeOf(joined(pieces, piece));
    if (shape === null || receivedBytes < shape.answerBytes) {
      pieces.push(Buffer.from(piece));
      return;
    }

    if (receivedBytes > shape.answerBytes) throw new Error('more came than the content-length announced');
    const { status, headBytes, head } = shape;
    const body = joined(pieces, piece).subarray(headBytes);
    pieces = [];
    receivedBytes = 0;
    shape = null;
    onAnswer(status, body, head);
  };
}

interface AnswerShape {
  status: number;
  head: string;
  headBytes: number;
  answerBytes: number;
}

/** Returns null while the head is incomplete. */
function shapeOf(received: Buffer): AnswerShape | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const head = received.toString('latin1', 0, headEnd);
  const contentLength = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (!contentLength) throw new Error(`an answer without content-length:\n${head}`);
  const headBytes = headEnd + 4;
  return { status: Number(head.slice(9, 12)), head, headBytes, answerBytes: headBytes + Number(contentLength[1]) };
}

function joined(pieces: Buffer[], piece: Buffer): Buffer {
  return pieces.length === 0 ? piece : Buffer.concat([...pieces, piece]);
}
