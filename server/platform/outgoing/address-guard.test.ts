import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeAddressGuard } from './address-guard.ts';

const publicOnly = makeAddressGuard([]);

/** One address after the other, as a table of them is written. */
const addresses = (text: string) => text.trim().split(/\s+/);

test('public addresses are allowed', () => {
  const refused = addresses(`
    1.1.1.1 8.8.8.8 93.184.216.34 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255
    128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255
    192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 168.63.129.15 168.63.129.17
    2606:4700::1111 2a00:1450:4001::1 2001:200::1 2001:4860:4860::8888 2003::1 2400:: 3fff:1000::
    ::ffff:8.8.8.8 ::ffff:808:808 0:0:0:0:0:ffff:8.8.8.8`).filter((address) => !publicOnly.isAllowed(address));
  assert.deepEqual(refused, []);
});

const notPublicAddresses: [what: string, addresses: string][] = [
  ['private and reserved, up to 127', '0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255'],
  ['loopback, cloud metadata, link-local', '127.0.0.1 127.255.255.255 168.63.129.16 169.254.0.0 169.254.169.254'],
  ['private and reserved, 172 and 192.0', '172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.192 192.0.2.1 192.88.99.1'],
  ['private, 192.168', '192.168.0.0 192.168.255.255'],
  ['benchmarks and documentation', '198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1'],
  ['multicast and broadcast', '224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255'],
  ['unspecified, loopback, IPv4-compatible', ':: ::1 ::127.0.0.1 ::8.8.8.8'],
  ['translated', '::ffff:0:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b::10.0.0.1 64:ff9b:1::1'],
  ['mapped', '::ffff:0.0.0.0 ::ffff:10.0.0.1 ::ffff:a00:1 ::ffff:127.0.0.1 ::FFFF:7F00:1 0:0:0:0:0:ffff:c0a8:1'],
  ['mapped link-local', '::ffff:a9fe:a9fe'],
  ['discard, dummy, Teredo, benchmarks, ORCHID', '100:: 100:0:0:1:: 2001:: 2001::1 2001:2:: 2001:10:: 2001:20::1'],
  [
    'documentation, 6to4, 6bone',
    '2001:1ff::1 2001:db8:: 2002:: 2002:7f00:1:: 2002:808:808::1 3ffe::1 3fff:: 3fff:fff::1',
  ],
  ['segment routing, not assigned', '5f00:: 4000:: 1fff::'],
  ['unique local, link-local', 'fc00:: fd00:ec2::254 fdff:: fe80:: fe80::1 febf::'],
  ['site-local, multicast', 'fec0:: feff:: ff00:: ff02::1 ffff::'],
];

test('addresses that are not public are refused', () => {
  const allowed = notPublicAddresses.flatMap(([, list]) => addresses(list)).filter(publicOnly.isAllowed);
  assert.deepEqual(allowed, []);
});

test('a text that is no address, or has a zone, is refused even where everything is allowed', () => {
  const everywhere = makeAddressGuard(['0.0.0.0/0', '::/0']);
  const texts = addresses(`
    localhost example.com 1.2.3 1.2.3.4.5 256.1.1.1 08.8.8.8 0x8.8.8.8 134744072 8.8.8.8.
    8.8.8.8/32 8.8.8.8:80 [2606:4700::1111] 2606:4700:::1 fe80::1%eth0 2606:4700::1111%1 ::1% ٨.٨.٨.٨`);
  const allowed = ['', ' ', ' 8.8.8.8', ...texts].filter(everywhere.isAllowed);
  assert.deepEqual(allowed, []);
});

test('the operator allows ranges, each for its own family; a mapped address is judged as the IPv4 address it is', () => {
  const cases: [allowCidrs: string[], allowed: string, refused: string][] = [
    [
      ['127.0.0.0/8'],
      '127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 8.8.8.8',
      '::1 ::127.0.0.1 2002:7f00:1:: 64:ff9b::127.0.0.1 10.0.0.1',
    ],
    [['10.1.0.0/16', '10.3.0.0/16'], '10.3.255.255', '10.2.0.0'],
    [['10.1.2.3/32'], '10.1.2.3', '10.1.2.4'],
    [['::1/128'], '::1 0:0:0:0:0:0:0:1', '127.0.0.1 ::2'],
    [['fd00::/8'], 'fd12:3456::1', 'fc00::1'],
    [['2002::/16'], '2002:7f00:1::', '10.0.0.1'],
    [['64:ff9b::/96'], '64:ff9b::10.0.0.1', '10.0.0.1'],
    [['0.0.0.0/0'], '10.0.0.1 ::ffff:10.0.0.1', '::1'],
    [['::/0'], '::1', '10.0.0.1 ::ffff:10.0.0.1'],
    [['::ffff:0:0/96'], '8.8.8.8', '10.0.0.1 ::ffff:10.0.0.1'],
  ];
  for (const [allowCidrs, allowed, refused] of cases) {
    const { isAllowed } = makeAddressGuard(allowCidrs);
    assert.deepEqual(addresses(`${allowed} ${refused}`).filter(isAllowed), addresses(allowed), allowCidrs.join());
  }
});

const refusedUrls: [why: string | null, urls: string[]][] = [
  [
    null,
    [
      ...['https://partner.example/callbacks?a=1#b', 'http://partner.example:8080', 'HTTPS://PARTNER.EXAMPLE/'],
      ...['https://bücher.example/', 'https://8.8.8.8/', 'https://[2606:4700::1111]:8443/'],
      ...['http://[::ffff:8.8.8.8]/', 'https://localhost.example/', 'https://notlocalhost/'],
    ],
  ],
  [
    'url_not_http',
    [
      ...['', 'partner.example/callbacks', '/callbacks', 'http://', 'https://a b/', 'https://partner.example:65536/'],
      ...['http://256.1.1.1/', 'http://1.2.3.4.5/', 'http://[fe80::1%25eth0]/', 'ftp://partner.example/'],
      ...['file:///etc/passwd', 'javascript:alert(1)', 'ws://partner.example/', 'blob:https://partner.example/1'],
      ...['gopher://127.0.0.1:6379/'],
    ],
  ],
  [
    'url_with_credentials',
    [
      ...['https://user@partner.example/', 'https://user:secret@partner.example/', 'https://:secret@partner.example/'],
      ...['https://8.8.8.8@127.0.0.1/'],
    ],
  ],
  ['url_port_zero', ['http://partner.example:0/', 'http://partner.example:00/']],
  [
    'url_private',
    [
      ...['http://127.0.0.1/', 'http://127.0.0.1./', 'http://127.1/', 'http:127.1', 'http:/\\127.1', 'http://0x7f.1/'],
      ...['http://0X7F.0x0.0x0.0x1/', 'http://0177.0.0.1/', 'http://2130706433/', 'http://0x7f000001/'],
      ...['http://017700000001/', 'http://１２７.0.0.1/', 'http://①②⑦.0.0.1/', 'http://127。0。0。1/'],
      ...['http://%31%32%37.0.0.1/', 'http://1\t27.0.0.1/', 'http://0/', 'http://0.0.0.0:8080/', 'http://10.0.0.1/'],
      ...['http://169.254.169.254/latest/meta-data/', 'http://2852039166/', 'http://[::]/', 'http://[::1]/'],
      ...['http://[0:0:0:0:0:0:0:1]/', 'http://[::127.0.0.1]/', 'http://[::ffff:127.0.0.1]/'],
      ...['http://[::ffff:7f00:1]/', 'http://[::FFFF:0a00:0001]/', 'http://[64:ff9b::7f00:1]/'],
      ...['http://[2002:7f00:1::]/', 'http://[fd00:ec2::254]/', 'http://[fe80::1]/', 'http://localhost/'],
      ...['http://LOCALHOST:3000/', 'http://localhost./', 'http://localhost../', 'http://ⓛocalhost/'],
      ...['http://loc\u00adalhost/', 'http://a.b.localhost/', 'http://a.localhost./'],
    ],
  ],
];

test('a URL is plainly refused for faults that can be seen without the DNS', () => {
  for (const [why, urls] of refusedUrls) {
    for (const url of urls) assert.equal(publicOnly.whyPlainlyRefused(url), why, url);
  }
});

test('a URL of an allowed address is not refused; localhost is fine where either loopback address is', () => {
  const cases: [allowCidrs: string[], url: string, refused: boolean][] = [
    [['127.0.0.0/8'], 'http://127.0.0.1:3000/', false],
    [['127.0.0.0/8'], 'http://2130706433/', false],
    [['127.0.0.0/8'], 'http://[::ffff:7f00:1]/', false],
    [['127.0.0.0/8'], 'http://[::1]/', true],
    [['127.0.0.0/8'], 'http://localhost:3000/', false],
    [['127.0.0.0/8'], 'http://a.localhost./', false],
    [['::1/128'], 'http://localhost:3000/', false],
    [['::1/128'], 'http://127.0.0.1/', true],
    [['127.0.0.2/32'], 'http://localhost/', true],
    [['10.0.0.0/8'], 'http://10.1.2.3/', false],
    [['10.0.0.0/8'], 'http://localhost/', true],
    [['0.0.0.0/0', '::/0'], 'http://user@10.1.2.3/', true],
    [['0.0.0.0/0', '::/0'], 'http://10.1.2.3:0/', true],
  ];
  for (const [allowCidrs, url, refused] of cases) {
    assert.equal(
      makeAddressGuard(allowCidrs).whyPlainlyRefused(url) !== null,
      refused,
      `${url} where ${allowCidrs} is allowed`,
    );
  }
});

test('no spelling of a private IPv4 address gets through', () => {
  fc.assert(
    fc.property(
      privateIpv4(),
      fc.array(fc.constantFrom(10, 16, 8), { minLength: 4, maxLength: 4 }),
      fc.nat(4),
      (address, radixes, style) => {
        const host = spell(address, radixes as Radix[], style);
        assert.notEqual(publicOnly.whyPlainlyRefused(`http://${host}/`), null, host);
      },
    ),
    { numRuns: 2000 },
  );
});

test('no IPv6 form of a private IPv4 address gets through', () => {
  fc.assert(
    fc.property(
      privateIpv4(),
      fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:', '2002:', '0:0:0:0:0:FFFF:'),
      (address, prefix) => {
        const groups = [(address >>> 16).toString(16), (address & 0xffff).toString(16)].join(':');
        const forms =
          prefix === '2002:' ? [`2002:${groups}::1`] : [`${prefix}${groups}`, `${prefix}${dotted(address)}`];
        for (const form of forms) {
          assert.equal(publicOnly.isAllowed(form), false, form);
          assert.notEqual(publicOnly.whyPlainlyRefused(`http://[${form}]/`), null, form);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

function privateIpv4(): fc.Arbitrary<number> {
  const ranges: [first: number, bits: number][] = [
    [0x00_00_00_00, 24],
    [0x0a_00_00_00, 24],
    [0x64_40_00_00, 22],
    [0x7f_00_00_00, 24],
    [0xa9_fe_00_00, 16],
    [0xac_10_00_00, 20],
    [0xc0_a8_00_00, 16],
    [0xe0_00_00_00, 29],
  ];
  return fc.constantFrom(...ranges).chain(([first, bits]) => fc.nat(2 ** bits - 1).map((offset) => first + offset));
}

type Radix = 10 | 16 | 8;

/** With one to four parts, each in its own base; the last part of fewer than four takes the remaining bytes. */
function spell(address: number, radixes: Radix[], style: number): string {
  const bytes = [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255];
  const parts = Math.max(1, Math.min(4, style));
  const last = address % 256 ** (5 - parts);
  const texts = [...bytes.slice(0, parts - 1), last].map((part, index) => inRadix(part, radixes[index]!));
  return texts.join('.') + (style === 0 ? '.' : '');
}

function inRadix(part: number, radix: Radix): string {
  return { 10: '', 16: '0x', 8: '0' }[radix] + part.toString(radix);
}

function dotted(address: number): string {
  return [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255].join('.');
}
