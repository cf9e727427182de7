import type { SystemNode } from '../../../contract/console/system-overview.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { words } from './words.ts';

export function NodesTable({ nodes }: { nodes: SystemNode[] }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const columns: Column<SystemNode>[] = [
    { key: 'host', title: say.host, cell: (node) => node.host, alwaysShown: true },
    { key: 'pid', title: say.process, cell: (node) => node.pid },
    {
      key: 'status',
      title: shared.noun.status,
      cell: (node) => <StatusBadge tone={node.is_silent ? 'failed' : 'done'}>{node.is_silent ? say.silent : say.alive}</StatusBadge>,
    },
    { key: 'role', title: say.nodeRole, cell: (node) => say.role[node.role] },
    { key: 'version', title: say.nodeVersion, cell: (node) => node.version },
    { key: 'started', title: say.started, cell: (node) => <Time at={node.started_at} /> },
    { key: 'seen', title: say.seen, cell: (node) => <Time at={node.seen_at} /> },
  ];
  return (
    <Section title={say.nodes} flush>
      <DataTable
        bare
        name="system-nodes"
        label={say.nodes}
        columns={columns}
        list={plainRows(nodes, (node) => node.node_id)}
        rowName={(node) => `${node.host} ${node.pid}`}
        empty={<EmptyState title={say.nodesNone} hint={say.nodesNoneHint} />}
      />
    </Section>
  );
}
