import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { mountNodeGauges } from '../../server/gauges.ts';
import { makeDeliveryMetrics } from '../../server/jobs/delivery-metrics.ts';
import { makePushMetrics } from '../../server/jobs/push-metrics.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { startTestApp } from '../support/app.ts';
import { promtoolMissing } from '../support/promtool.ts';

const folder = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url));
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const temporary = mkdtempSync(join(tmpdir(), 'monitoring-test-'));
after(() => rmSync(temporary, { recursive: true, force: true }));

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
interface Case {
  alert_rule_test: { alertname: string; exp_alerts: object[] }[];
}
const rules: Rule[] = parse(read('deploy/prometheus/alerts.yaml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);
const cases: Case[] = parse(read('deploy/prometheus/alerts.test.yaml')).tests;
const guide = read('docs/monitoring.md');

/** Made by the scheduled backups. */
const madeElsewhere = ['lading_backup_last_verified_timestamp_seconds'];
/** Made by Prometheus itself. */
const madeByPrometheus = ['up'];

/** Every metric of a node with the embedded PostgreSQL that also runs background work. */
async function namesOfMetrics(): Promise<Set<string>> {
  const { http, metrics } = await startTestApp();
  makeDeliveryMetrics(metrics.registry);
  makePushMetrics(metrics.registry);
  for (const name of ['lading_ready', 'lading_clock_ahead_seconds', 'lading_heap_limit_bytes'])
    metrics.registry.removeSingleMetric(name);
  const readiness = async () => ({ reasons: [], warnings: [] });
  mountNodeGauges(metrics, { readiness, clock: systemClock, ownClock: systemClock, dataDir: temporary });
  const text = (await http.inject('/metrics')).payload;
  assert.match(text, /^lading_disk_free_bytes [1-9]/m);
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]);
  const parts = (name: string) => ['_bucket', '_sum', '_count'].map((part) => name + part);
  return new Set(types.flatMap(([name, type]) => (type === 'histogram' ? parts(name!) : [name!])));
}

const known = new Set([...(await namesOfMetrics()), ...madeElsewhere, ...madeByPrometheus]);

/** The names in an expression: words that are neither labels, functions, keywords nor in quotation marks. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring) *\([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z_][a-z0-9_]*\b(?! *\()/g)]
    .map(([name]) => name)
    .filter((name) => !/^(and|or|unless|bool)$/.test(name));
}

test('the names in an expression are found, and nothing else', () => {
  const expression =
    'histogram_quantile(0.99, sum by (job, le) (rate(a_bucket{b!="c_d"}[5m]))) > 2 and abs(e) < time() - f_seconds';
  assert.deepEqual(metricsIn(expression), ['a_bucket', 'e', 'f_seconds']);
});

test('every alert uses metrics that exist, and says what to do in a section of the guide', () => {
  for (const { alert, expr, labels, annotations } of rules) {
    const used = metricsIn(expr);
    assert.ok(used.length > 0, alert);
    assert.deepEqual(
      used.filter((name) => !known.has(name)),
      [],
      alert,
    );
    assert.match(labels.severity, /^(critical|warning|info)$/);
    assert.equal(annotations.runbook, `docs/monitoring.md#${alert.toLowerCase()}`);
    assert.match(guide, new RegExp(`^### ${alert}\n\n\\S.+\n(?:.+\n)*\n\\S`, 'm'), alert);
  }
});

test('every alert has a case in which it fires and one in which it does not', () => {
  const outcomes = cases.flatMap((one) =>
    one.alert_rule_test.map(({ alertname, exp_alerts }) => `${alertname} ${exp_alerts.length > 0}`),
  );
  assert.deepEqual(outcomes.toSorted(), rules.flatMap(({ alert }) => [`${alert} false`, `${alert} true`]).toSorted());
});

test('Prometheus accepts the rules and the example, and each alert fires as its case says', {
  skip: promtoolMissing,
}, () => {
  const run = (...args: string[]) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
  const checked = run('check', 'rules', 'alerts.yaml');
  assert.equal(checked.status, 0, checked.stderr);
  const tested = run('test', 'rules', 'alerts.test.yaml');
  assert.equal(tested.status, 0, tested.stdout + tested.stderr);

  const token = join(temporary, 'token');
  writeFileSync(token, 'secret');
  const example = read('deploy/prometheus/prometheus.yml')
    .replace('/etc/prometheus/lading-metrics-token', token)
    .replace('[alerts.yaml]', `[${folder}alerts.yaml]`);
  const file = join(temporary, 'prometheus.yml');
  writeFileSync(file, example);
  const accepted = run('check', 'config', file);
  assert.equal(accepted.status, 0, accepted.stdout + accepted.stderr);
});

test('every panel of the dashboard shows metrics that exist', () => {
  const { panels, templating } = JSON.parse(read('deploy/grafana/lading.json'));
  const shown = panels.filter(({ type }: { type: string }) => type !== 'row');
  const ids = new Set(panels.map(({ id }: { id: number }) => id));
  assert.equal(ids.size, panels.length);
  for (const { title, targets } of shown) {
    assert.ok(targets.length > 0, title);
    for (const { expr } of targets) {
      const used = metricsIn(expr);
      assert.ok(used.length > 0, `${title}: ${expr}`);
      assert.deepEqual(
        used.filter((name) => !known.has(name)),
        [],
        `${title}: ${expr}`,
      );
      if (!promtoolMissing) assertParses(expr);
    }
  }
  const names = templating.list.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['datasource', 'job', 'instance']);
});

const expressions: string[] = [];
/** All are checked in one run of promtool. */
function assertParses(expression: string): void {
  expressions.push(expression.replaceAll('$job', 'lading').replaceAll('$instance', '.*'));
}

test('Prometheus can parse every expression of the dashboard', { skip: promtoolMissing }, () => {
  const lines = expressions.map(
    (expr, index) => `      - { record: 'dashboard:${index}', expr: ${JSON.stringify(expr)} }\n`,
  );
  const file = join(temporary, 'dashboard.yaml');
  writeFileSync(file, `groups:\n  - name: dashboard\n    rules:\n${lines.join('')}`);
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.ok(expressions.length > 20);
});
