/** A mistake in a connection string. The message never contains a value, because any part may be the password. */
export class ConnectionStringMistake extends Error {}

/** The parameters of a connection string, under libpq's names. */
export type ConnectionParameters = Record<string, string>;

const urlForm = /^postgres(?:ql)?:\/\/(?:([^/?]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s;
const hostForm = /^(?:\[([^\]]+)\]|([^:[\]@]*))(?::(\d*))?$/;
const pairForm = /\s*([a-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?=\s|$)/sy;

const form =
  'must be a URL such as postgres://user:password@host/database; if several hosts are listed, the primary is used';
const encoding =
  'has a special character in its user, password or hosts: write it as in %40 for @, %2F for / and %3F for ?';

/** Reads a URL, or pairs such as `host=db1,db2 dbname=lading`, as libpq does. */
export function readConnectionString(text: string): ConnectionParameters {
  if (/^postgres(ql)?:\/\//.test(text)) return readUrl(text);
  if (/^\s*[a-z_]+\s*=/.test(text)) return readPairs(text);
  throw new ConnectionStringMistake(form);
}

function readUrl(url: string): ConnectionParameters {
  const [, credentials, hosts = '', database = '', query = ''] = urlForm.exec(url) ?? [];
  const [user = '', password] = credentials === undefined ? [] : splitOnce(credentials, ':');
  return {
    ...readHostList(hosts),
    ...given('user', decode(user)),
    ...given('password', decode(password ?? '')),
    ...given('dbname', decode(database)),
    // Parameters behind the question mark replace the parts before it.
    ...readQuery(query),
  };
}

/** `db1:5433,[::1],db3` is `host=db1,::1,db3 port=5433,,`. */
function readHostList(list: string): ConnectionParameters {
  if (list === '') return {};
  const parts = list.split(',').map((item) => {
    const found = hostForm.exec(item);
    if (!found) throw new ConnectionStringMistake(encoding);
    const [, bracketed, plain = '', port = ''] = found;
    return { host: decode(bracketed ?? plain), port };
  });
  const ports = parts.map(({ port }) => port);
  return {
    host: parts.map(({ host }) => host).join(),
    ...(ports.some((port) => port !== '') ? { port: ports.join() } : {}),
  };
}

function readQuery(query: string): ConnectionParameters {
  if (query === '') return {};
  const pairs = query.split('&').map((pair) => {
    const [name, value] = splitOnce(pair, '=');
    if (name === '' || value === undefined)
      throw new ConnectionStringMistake('has a parameter without a value behind its question mark');
    return [decode(name), decode(value)] as const;
  });
  // JDBC uses the name ssl; libpq knows it too.
  return Object.fromEntries(pairs.map(([name, value]) => (name === 'ssl' ? readJdbcSsl(value) : [name, value])));
}

function readJdbcSsl(value: string): [string, string] {
  if (value !== 'true') throw new ConnectionStringMistake('has a parameter ssl that is not true: use sslmode');
  return ['sslmode', 'require'];
}

function readPairs(text: string): ConnectionParameters {
  const parameters: ConnectionParameters = {};
  for (let at = 0; at < text.trimEnd().length; at = pairForm.lastIndex) {
    pairForm.lastIndex = at;
    const found = pairForm.exec(text);
    if (!found) throw new ConnectionStringMistake("must have the form name=value name='value with spaces'");
    parameters[found[1]!] = (found[2] ?? found[3]!).replace(/\\(.)/gs, '$1');
  }
  return parameters;
}

function given(name: string, value: string): ConnectionParameters {
  return value === '' ? {} : { [name]: value };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConnectionStringMistake(encoding);
  }
}
