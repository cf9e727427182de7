import { onInterrupt } from './child-process.ts';
import { formatToolFailure, runTool, tryTool } from './run-tool.ts';

/** A network in which a member of the cluster runs; null: that of the machine, on loopback. */
export interface MemberPlace {
  network: string | null;
  /** The addresses for other members and etcd, and for nodes and haproxy. */
  clusterHost: string;
  serviceHost: string;
}

export interface ClusterPlaces {
  /** The address of etcd, and that of haproxy. */
  etcdHost: string;
  proxyHost: string;
  members: MemberPlace[];
}

/** The networks of a cluster. Nodes, callers, etcd and haproxy run in the hub. */
export interface ClusterNetworks {
  hub: string;
  places: ClusterPlaces;
  remove(): void;
}

/** A member has two links to the hub: one leads to the other members and to etcd, one to the nodes and haproxy. */
export type LinkKind = 'cluster' | 'service';
export const linkKinds: readonly LinkKind[] = ['cluster', 'service'];

const loopback = '127.0.0.1';
const subnets: Record<LinkKind, string> = { cluster: '198.18.1', service: '198.18.2' };
const hubNumber = 1;

export function placesOnLoopback(members: number): ClusterPlaces {
  const place = { network: null, clusterHost: loopback, serviceHost: loopback };
  return { etcdHost: loopback, proxyHost: loopback, members: Array.from({ length: members }, () => place) };
}

/** Creates a network namespace for the hub and for each member. Returns the reason if this is not possible. */
export function makeClusterNetworks(members: number): ClusterNetworks | { unavailable: string } {
  const hub = `lading-hub-${process.pid}`;
  const names = Array.from({ length: members }, (_, index) => `lading-member-${process.pid}-${index}`);
  const remove = () => {
    for (const name of [hub, ...names]) tryTool('ip', 'netns', 'del', name);
  };
  const forget = onInterrupt(remove);
  try {
    runTool('nsenter', '--version');
    makeHub(hub);
    for (const [index, name] of names.entries()) makeMember(hub, name, index);
  } catch (error) {
    remove();
    forget();
    return { unavailable: `network namespaces cannot be created (${formatToolFailure(error)})` };
  }
  return {
    hub,
    places: {
      etcdHost: addressOf('cluster', hubNumber),
      proxyHost: addressOf('service', hubNumber),
      members: names.map((network, index) => ({
        network,
        clusterHost: addressOf('cluster', numberOf(index)),
        serviceHost: addressOf('service', numberOf(index)),
      })),
    },
    remove() {
      remove();
      forget();
    },
  };
}

/** Called in the hub. Packets of a cut link are dropped; both sides still consider their connections open. */
export function setMemberLink(index: number, kind: LinkKind, state: 'up' | 'down'): void {
  runTool('ip', 'link', 'set', hubLinkOf(kind, index), state);
}

function makeHub(hub: string): void {
  runTool('ip', 'netns', 'add', hub);
  runTool('ip', '-n', hub, 'link', 'set', 'lo', 'up');
  for (const kind of linkKinds) {
    runTool('ip', '-n', hub, 'link', 'add', kind, 'type', 'bridge');
    runTool('ip', '-n', hub, 'addr', 'add', `${addressOf(kind, hubNumber)}/24`, 'dev', kind);
    runTool('ip', '-n', hub, 'link', 'set', kind, 'up');
  }
}

function makeMember(hub: string, name: string, index: number): void {
  runTool('ip', 'netns', 'add', name);
  runTool('ip', '-n', name, 'link', 'set', 'lo', 'up');
  for (const kind of linkKinds) {
    const atHub = hubLinkOf(kind, index);
    runTool('ip', 'link', 'add', kind, 'netns', name, 'type', 'veth', 'peer', 'name', atHub, 'netns', hub);
    runTool('ip', '-n', hub, 'link', 'set', atHub, 'master', kind);
    runTool('ip', '-n', hub, 'link', 'set', atHub, 'up');
    runTool('ip', '-n', name, 'addr', 'add', `${addressOf(kind, numberOf(index))}/24`, 'dev', kind);
    runTool('ip', '-n', name, 'link', 'set', kind, 'up');
  }
}

function hubLinkOf(kind: LinkKind, index: number): string {
  return `${kind}-${index}`;
}

function numberOf(index: number): number {
  return hubNumber + 1 + index;
}

function addressOf(kind: LinkKind, number: number): string {
  return `${subnets[kind]}.${number}`;
}
