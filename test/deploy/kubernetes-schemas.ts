import { type TSchema, Type } from 'typebox';

/**
 * The fields of Kubernetes resources that our chart uses, by the API reference of Kubernetes 1.27 and newer and of
 * CloudNativePG 1.25. Unknown fields are errors, so that a misspelt one is found.
 */
const object = (required: Record<string, TSchema>, optional: Record<string, TSchema> = {}) =>
  Type.Object(
    { ...required, ...Object.fromEntries(Object.entries(optional).map(([name, of]) => [name, Type.Optional(of)])) },
    { additionalProperties: false },
  );
const text = Type.String({ minLength: 1 });
const name = Type.String({ pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' });
const count = Type.Integer({ minimum: 0 });
const port = Type.Integer({ minimum: 1, maximum: 65_535 });
const labels = Type.Record(Type.String({ pattern: '^[a-zA-Z0-9./_-]+$' }), Type.String({ maxLength: 63 }));
const selector = object({ matchLabels: labels });
const metadata = object({ name, labels }, { annotations: Type.Record(Type.String(), Type.String()) });
const quantity = Type.String({ pattern: '^[0-9.]+(m|Mi|Gi)?$' });
const quantities = object({ memory: quantity }, { cpu: quantity });
const resources = object({ requests: quantities }, { limits: quantities });
const named = object({ name });

const probe = object(
  { httpGet: object({ path: Type.String({ pattern: '^/' }), port: Type.Literal('http') }), periodSeconds: count },
  { timeoutSeconds: count, failureThreshold: count },
);
const container = object(
  {
    name,
    image: Type.String({ pattern: '^[a-z0-9./-]+:[A-Za-z0-9._-]+$' }),
    imagePullPolicy: Type.Enum(['Always', 'IfNotPresent', 'Never']),
    args: Type.Array(text),
    env: Type.Array(object({ name: Type.String({ pattern: '^[A-Z_]+$' }), value: Type.String() })),
    resources,
    securityContext: object({
      allowPrivilegeEscalation: Type.Literal(false),
      readOnlyRootFilesystem: Type.Literal(true),
      capabilities: object({ drop: Type.Tuple([Type.Literal('ALL')]) }),
    }),
    volumeMounts: Type.Array(object({ name, mountPath: text }, { readOnly: Type.Boolean() })),
  },
  {
    ports: Type.Array(object({ name, containerPort: port })),
    startupProbe: probe,
    livenessProbe: probe,
    readinessProbe: probe,
  },
);
const podSpec = object(
  {
    serviceAccountName: name,
    automountServiceAccountToken: Type.Literal(false),
    enableServiceLinks: Type.Literal(false),
    securityContext: object({
      runAsNonRoot: Type.Literal(true),
      runAsUser: Type.Literal(10001),
      runAsGroup: Type.Literal(10001),
      fsGroup: Type.Literal(10001),
      seccompProfile: object({ type: Type.Literal('RuntimeDefault') }),
    }),
    containers: Type.Array(container, { minItems: 1 }),
    volumes: Type.Array(
      Type.Union([
        object({
          name,
          secret: object(
            { secretName: name, defaultMode: Type.Literal(0o440) },
            { items: Type.Array(object({ key: text, path: text })) },
          ),
        }),
        object({ name, emptyDir: object({ sizeLimit: text }) }),
      ]),
    ),
  },
  {
    restartPolicy: Type.Literal('OnFailure'),
    imagePullSecrets: Type.Array(named),
    terminationGracePeriodSeconds: count,
    topologySpreadConstraints: Type.Array(
      object({
        maxSkew: count,
        topologyKey: text,
        whenUnsatisfiable: Type.Enum(['ScheduleAnyway', 'DoNotSchedule']),
        labelSelector: selector,
      }),
    ),
    nodeSelector: labels,
    tolerations: Type.Array(object({ key: text, operator: text, effect: text }, { value: text })),
  },
);
const podTemplate = object({ metadata: object({ labels }, { annotations: labels }), spec: podSpec });

const resource = (apiVersion: string, kind: string, rest: Record<string, TSchema>) =>
  object({ apiVersion: Type.Literal(apiVersion), kind: Type.Literal(kind), metadata, ...rest });

const deployment = object(
  {
    revisionHistoryLimit: count,
    strategy: object({
      type: Type.Literal('RollingUpdate'),
      rollingUpdate: object({ maxSurge: count, maxUnavailable: count }),
    }),
    selector,
    template: podTemplate,
  },
  { replicas: count },
);
const job = object({ backoffLimit: count, ttlSecondsAfterFinished: count, template: podTemplate });
const service = object({
  type: Type.Enum(['ClusterIP', 'NodePort', 'LoadBalancer']),
  selector: labels,
  ports: Type.Array(object({ name, port, targetPort: Type.Literal('http') })),
});
const backend = object({ service: object({ name, port: object({ name }) }) });
const ingressPath = object({ path: Type.String({ pattern: '^/' }), pathType: Type.Enum(['Prefix', 'Exact']), backend });
const ingress = object(
  {
    tls: Type.Array(object({ hosts: Type.Array(text), secretName: name })),
    rules: Type.Array(object({ host: text, http: object({ paths: Type.Array(ingressPath, { minItems: 1 }) }) })),
  },
  { ingressClassName: text },
);
const disruptionBudget = object(
  { unhealthyPodEvictionPolicy: Type.Literal('AlwaysAllow'), selector },
  { maxUnavailable: count, minAvailable: count },
);
const autoscaler = object({
  scaleTargetRef: object({ apiVersion: Type.Literal('apps/v1'), kind: Type.Literal('Deployment'), name }),
  minReplicas: count,
  maxReplicas: count,
  metrics: Type.Array(
    object({
      type: Type.Literal('Resource'),
      resource: object({
        name: Type.Literal('cpu'),
        target: object({ type: Type.Literal('Utilization'), averageUtilization: count }),
      }),
    }),
  ),
  behavior: object({ scaleDown: object({ stabilizationWindowSeconds: count }) }),
});
const peer = object(
  {},
  {
    podSelector: selector,
    namespaceSelector: selector,
    ipBlock: object({ cidr: text }, { except: Type.Array(text) }),
  },
);
const policyPort = object({ port: Type.Union([port, Type.Literal('http')]) }, { protocol: Type.Enum(['TCP', 'UDP']) });
const networkPolicy = object({
  podSelector: selector,
  policyTypes: Type.Array(Type.Enum(['Ingress', 'Egress'])),
  ingress: Type.Array(object({ ports: Type.Array(policyPort), from: Type.Array(peer, { minItems: 1 }) })),
  egress: Type.Array(object({ ports: Type.Array(policyPort) }, { to: Type.Array(peer, { minItems: 1 }) })),
});
const cluster = object({
  instances: count,
  bootstrap: object({
    initdb: object({
      ...{ database: text, owner: text, secret: named, encoding: text, localeCollate: text, localeCType: text },
      dataChecksums: Type.Boolean(),
    }),
  }),
  managed: object({
    roles: Type.Array(
      object({
        ...{ name: text, ensure: Type.Enum(['present', 'absent']), login: Type.Boolean(), createrole: Type.Boolean() },
        passwordSecret: named,
      }),
    ),
  }),
  postgresql: object({
    synchronous: object({
      method: Type.Enum(['any', 'first']),
      number: count,
      dataDurability: Type.Enum(['required', 'preferred']),
    }),
    parameters: Type.Record(Type.String(), Type.String()),
  }),
  storage: object({ size: text }, { storageClass: text }),
  walStorage: object({ size: text }),
  resources,
});

export const resourceSchemas: Record<string, TSchema> = {
  Deployment: resource('apps/v1', 'Deployment', { spec: deployment }),
  Job: resource('batch/v1', 'Job', { spec: job }),
  Service: resource('v1', 'Service', { spec: service }),
  ServiceAccount: resource('v1', 'ServiceAccount', { automountServiceAccountToken: Type.Literal(false) }),
  Ingress: resource('networking.k8s.io/v1', 'Ingress', { spec: ingress }),
  NetworkPolicy: resource('networking.k8s.io/v1', 'NetworkPolicy', { spec: networkPolicy }),
  PodDisruptionBudget: resource('policy/v1', 'PodDisruptionBudget', { spec: disruptionBudget }),
  HorizontalPodAutoscaler: resource('autoscaling/v2', 'HorizontalPodAutoscaler', { spec: autoscaler }),
  Cluster: resource('postgresql.cnpg.io/v1', 'Cluster', { spec: cluster }),
};
