import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Errors } from 'typebox/schema';
import { parse, parseAllDocuments } from 'yaml';
import { chartSettings } from '../../tools/generate-chart-settings.ts';
import { resourceSchemas } from './kubernetes-schemas.ts';
import { findProgram } from './start-proxy.ts';

type Values = Record<string, unknown>;
interface Resource {
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own fields; the schemas check them.
  spec: any;
}

const chart = fileURLToPath(new URL('../../deploy/helm/lading', import.meta.url));
const read = (path: string) => readFileSync(join(chart, path), 'utf8');
const defaults = parse(read('values.yaml')) as Values;
const valuesSchema = JSON.parse(read('values.schema.json'));
const examples = readdirSync(join(chart, 'ci'));

/** helm is not in Debian, so Go's own templates render the chart, with the functions of Helm that it uses. */
const go = findProgram('go');
const skip = go === null && 'Go is not installed (Debian: golang-go)';
const folder = mkdtempSync(join(tmpdir(), 'lading-chart-'));
const renderer = join(folder, 'render-chart');
after(() => rmSync(folder, { recursive: true }));
if (go !== null) {
  const source = fileURLToPath(new URL('render-chart.go', import.meta.url));
  execFileSync(go, ['build', '-o', renderer, source], { env: { ...process.env, GOCACHE: join(folder, 'cache') } });
}

function merge(base: Values, over: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = Object.entries(over).map(([key, value]) => {
    const below = base[key];
    return [key, isMap(value) && isMap(below) ? merge(below, value) : value];
  });
  return { ...base, ...Object.fromEntries(merged) };
}

function run(values: Values) {
  const { name, version, appVersion } = parse(read('Chart.yaml'));
  const input = {
    Values: merge(defaults, values),
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: 'lading', Namespace: 'shop', Revision: 3, Service: 'Helm' },
  };
  return spawnSync(renderer, [chart], { input: JSON.stringify(input), encoding: 'utf8' });
}

/** The resources of the chart, each checked against its schema. */
function render(values: Values): Resource[] {
  const { status, stdout, stderr } = run(values);
  assert.equal(status, 0, stderr);
  const files = Object.entries(JSON.parse(stdout) as Record<string, string>);
  const resources = files
    .filter(([file]) => file.endsWith('.yaml'))
    .flatMap(([file, text]) =>
      parseAllDocuments(text, { uniqueKeys: true }).map((document) => {
        assert.deepEqual(document.errors, [], file);
        return document.toJS() as Resource | null;
      }),
    )
    .filter((resource) => resource !== null);
  for (const resource of resources) {
    const schema = resourceSchemas[resource.kind];
    assert.ok(schema, `no schema for ${resource.kind}`);
    assert.deepEqual(Errors(schema, resource), [true, []], `${resource.kind} ${resource.metadata.name}`);
  }
  return resources;
}

const example = (file: string) => parse(read(`ci/${file}`)) as Values;
const names = (resources: Resource[]) => resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
const find = (resources: Resource[], kind: string, name: string) =>
  resources.find((one) => one.kind === kind && one.metadata.name === name)!;

const always = [
  ...['Deployment lading-api', 'Deployment lading-worker', 'PodDisruptionBudget lading-api'],
  ...['PodDisruptionBudget lading-worker', 'Service lading', 'ServiceAccount lading'],
];

test('the chart makes the resources that its values ask for, with fields that Kubernetes knows', { skip }, () => {
  const made = Object.fromEntries(examples.map((file) => [file, names(render(example(file)))]));
  const withMigration = [...always, 'Job lading-migrate-3', 'NetworkPolicy lading'];
  assert.deepEqual(made, {
    'smallest.yaml': always,
    'public.yaml': [...withMigration, 'HorizontalPodAutoscaler lading-api', 'Ingress lading'].sort(),
    'cloudnativepg.yaml': [...withMigration, 'Cluster lading-database'].sort(),
  });
});

test('selectors find the pods, each pod mounts only its own secrets, and only the job knows the owner', {
  skip,
}, () => {
  const resources = render(example('public.yaml'));
  const pods = resources.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map(({ spec }) => spec.template);
  const podsOf = (labels: Record<string, string>) =>
    pods
      .filter(({ metadata }) => Object.entries(labels).every(([key, value]) => metadata.labels[key] === value))
      .map(({ metadata }) => metadata.labels['app.kubernetes.io/component']);
  assert.deepEqual(podsOf(find(resources, 'Service', 'lading').spec.selector), ['api']);
  for (const component of ['api', 'worker'])
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      assert.deepEqual(podsOf(find(resources, kind, `lading-${component}`).spec.selector.matchLabels), [component]);
  const { podSelector } = find(resources, 'NetworkPolicy', 'lading').spec;
  assert.deepEqual(podsOf(podSelector.matchLabels).sort(), ['api', 'migrate', 'worker']);

  const secretsOf = (pod: { spec: { volumes: { secret?: { secretName: string } }[] } }) =>
    pod.spec.volumes.flatMap(({ secret }) => secret?.secretName ?? []);
  assert.deepEqual(pods.map(secretsOf), [['lading'], ['lading-migration'], ['lading']]);
  const knowsOwner = pods.map((pod) => JSON.stringify(pod).includes('OWNER'));
  assert.deepEqual(knowsOwner, [false, true, false]);
});

test('the network policy lets traces out only if there is a receiver of them', { skip }, () => {
  const collector = { podSelector: { matchLabels: { app: 'collector' } } };
  const portsOf = (change: object) => {
    const values = example('public.yaml') as Values & { settings: object; networkPolicy: object };
    const settings = { ...values.settings, ...change };
    const networkPolicy = { ...values.networkPolicy, tracing: [collector], tracingPort: 4319 };
    const { egress } = find(render({ ...values, settings, networkPolicy }), 'NetworkPolicy', 'lading').spec;
    return egress.filter(({ ports }: { ports: { port: number }[] }) => ports.some(({ port }) => port === 4319));
  };
  assert.deepEqual(portsOf({}), []);
  assert.deepEqual(portsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4319' }), [
    { ports: [{ port: 4319 }], to: [collector] },
  ]);
});

test('pods have the role, settings and probes of the service, and the ingress leaves out /metrics and /health', {
  skip,
}, () => {
  const resources = render(example('public.yaml'));
  for (const role of ['api', 'worker']) {
    const { template, replicas } = find(resources, 'Deployment', `lading-${role}`).spec;
    const [container] = template.spec.containers;
    assert.deepEqual(container.args, ['serve', '--role', role, '--no-migrate', '--no-demo']);
    assert.deepEqual(
      [container.startupProbe, container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet.path),
      ['/health/live', '/health/live', '/health/ready'],
    );
    const settings = Object.fromEntries(
      container.env.map((one: { name: string; value: string }) => [one.name, one.value]),
    );
    assert.deepEqual([settings.PROCESSES, settings.TRUSTED_PROXIES], ['2', '10.42.0.0/16']);
    assert.equal(template.spec.terminationGracePeriodSeconds, 15 + 40);
    // The autoscaler decides how many API pods there are.
    assert.equal(replicas, role === 'api' ? undefined : 2);
  }
  const [{ http }] = find(resources, 'Ingress', 'lading').spec.rules;
  assert.deepEqual(
    http.paths.map(({ path }: { path: string }) => path),
    ['/api', '/console', '/docs', '/openapi.json', '/.well-known', '/warehouse/v1', '/wms'],
  );
});

test('the chart refuses to render without what it needs', { skip }, () => {
  const refused: [Values, RegExp][] = [
    [{}, /secretName is required: a Secret with the keys database_url and master_key/],
    [{ ...example('public.yaml'), settings: {} }, /settings\.TRUSTED_PROXIES is required with an ingress/],
    [{ secretName: 'lading', cloudNativePg: { enabled: true } }, /cloudNativePg\.ownerSecretName is required/],
  ];
  for (const [values, message] of refused) {
    const { status, stderr } = run(values);
    assert.deepEqual([status, message.test(stderr)], [1, true], stderr);
  }
});

test('the schema of the values accepts the examples, and no secret, unknown setting or misspelt name', () => {
  for (const file of examples) assert.deepEqual(Errors(valuesSchema, merge(defaults, example(file))), [true, []], file);
  const smallest = merge(defaults, example('smallest.yaml'));
  const wrong: Values[] = [
    { secretName: '' },
    { settings: { MASTER_KEY: 'x' } },
    { settings: { DATABASE_URL: 'postgres://a:b@c/d' } },
    { settings: { NO_SUCH_SETTING: '1' } },
    { settings: { PROCESSES: 2 } },
    { api: { replica: 3 } },
    { ingres: { enabled: true } },
  ];
  for (const values of wrong)
    assert.equal(Errors(valuesSchema, merge(smallest, values))[0], false, JSON.stringify(values));
  assert.deepEqual(Object.keys(valuesSchema.properties.settings.properties), chartSettings);
});
