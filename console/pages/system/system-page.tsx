import { List, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import type {
  SystemDatabase,
  SystemOverview,
  SystemQueue,
  systemOverview,
  WeakSecret,
} from '../../../contract/console/system.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { Facts } from '../../kit/facts.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatTile, StatTiles } from '../../kit/stat-tile.tsx';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { formatBytes } from './format-bytes.ts';
import { JobsTable } from './jobs-table.tsx';
import { NodesTable } from './nodes-table.tsx';
import { PersonalDataSections } from './personal-data.tsx';
import { PurgesTable } from './purges-table.tsx';
import { TransfersTable } from './transfers-table.tsx';
import { WavesTable } from './waves-table.tsx';
import { Weaknesses } from './weaknesses.tsx';
import { words } from './words.ts';

const everyMs = 10_000;

/** The state of the service: nodes, database, queues and jobs. */
export function Component() {
  const say = useWords(words);
  const asked = useAsk<typeof systemOverview>(
    '/system/overview',
    {},
    { topics: ['orders', 'callbacks', 'partners'], everyMs },
  );
  return (
    <>
      <PageHeader title={say.title} {...(asked.answer && { subtitle: say.version(asked.answer.version) })} />
      <AskedContent asked={asked} lines={12}>
        {(overview) => <Sections overview={overview} />}
      </AskedContent>
    </>
  );
}

function Sections({ overview }: { overview: SystemOverview }) {
  const isAdmin = useMay('admin');
  const [parameters] = useSearchParams();
  const shown = parameters.get('show');
  useEffect(() => {
    if (shown !== null) document.getElementById(shown)?.scrollIntoView({ block: 'start' });
  }, [shown]);
  return (
    <>
      <Weaknesses weaknesses={overview.weaknesses} />
      <Queues queues={overview.queues} />
      <div id="nodes">
        <NodesTable nodes={overview.nodes} />
      </div>
      <DatabaseFacts facts={overview.database} />
      <div id="waves">
        <WavesTable waves={overview.waves} />
      </div>
      <div id="transfers">
        <TransfersTable transfers={overview.transfers} />
      </div>
      <div id="jobs">
        <JobsTable jobs={overview.jobs} />
      </div>
      {overview.weak_secrets.length > 0 && <WeakSecrets secrets={overview.weak_secrets} />}
      <PurgesTable purges={overview.purges} />
      {isAdmin && <PersonalDataSections />}
    </>
  );
}

function WeakSecrets({ secrets }: { secrets: WeakSecret[] }) {
  const say = useWords(words);
  return (
    <Section title={say.weakSecrets}>
      <Text size="sm" mb="sm">
        {say.weakSecretsHint}
      </Text>
      <List size="sm">
        {secrets.map(({ kind, owner }) => (
          <List.Item key={`${kind} ${owner}`}>
            {say.secretKind[kind]}: {owner}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

function Queues({ queues }: { queues: SystemQueue[] }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <StatTiles>
      {queues.map(({ queue, count, is_more, oldest_at, path }) => (
        <StatTile
          key={queue}
          label={say.queue[queue]}
          value={is_more ? shared.cappedCount(formatNumber(count)) : formatNumber(count)}
          to={path}
          attention={queue === 'transfers_rejected' && count > 0}
          note={
            oldest_at !== null && (
              <>
                {say.oldest} <Time at={oldest_at} />
              </>
            )
          }
        />
      ))}
    </StatTiles>
  );
}

function DatabaseFacts({ facts }: { facts: SystemDatabase }) {
  const say = useWords(words);
  const stateNames: Record<string, string> = say.connectionState;
  const connections = facts.connections.reduce((sum, { count }) => sum + count, 0);
  const states = facts.connections
    .map(({ state, count }) => `${stateNames[state] ?? state} ${formatNumber(count)}`)
    .join(say.comma);
  return (
    <Section title={say.database}>
      <Facts
        facts={[
          { label: say.server, value: facts.version },
          { label: say.size, value: formatBytes(facts.size_bytes) },
          {
            label: say.connections,
            value: say.connectionsValue(formatNumber(connections), formatNumber(facts.connections_max), states),
          },
          {
            label: say.oldestTransaction,
            value: facts.oldest_transaction_at && <Time at={facts.oldest_transaction_at} />,
          },
          {
            label: say.migrations,
            value: say.migrationsValue(
              formatNumber(facts.migrations.count),
              facts.migrations.last_name.replace(/\.sql$/, ''),
            ),
          },
        ]}
      />
    </Section>
  );
}
