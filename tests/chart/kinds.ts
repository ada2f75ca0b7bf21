type Texts = Readonly<Record<string, string>>;

export type Metadata = {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Texts;
  readonly annotations?: Texts;
};

/** Which pods: all labels, and all expressions. */
export type Selector = {
  readonly matchLabels?: Texts;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values: readonly string[];
  }[];
};

type Probe = {
  readonly httpGet?: { readonly path: string; readonly port: string | number };
  readonly grpc?: { readonly port: number };
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
};

type Amounts = { readonly cpu?: string; readonly memory?: string; readonly 'ephemeral-storage'?: string };

type SecretItem = { readonly key: string; readonly path: string };
type Projection = { readonly name: string; readonly items: readonly SecretItem[] };

export type Volume = {
  readonly name: string;
  readonly emptyDir?: { readonly sizeLimit: string };
  readonly secret?: { readonly secretName: string; readonly items?: readonly SecretItem[] };
  readonly configMap?: { readonly name: string };
  readonly projected?: {
    readonly sources: readonly { readonly secret?: Projection; readonly configMap?: Projection }[];
  };
};

export type SecurityContext = {
  readonly privileged?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly procMount?: string;
  readonly seccompProfile?: { readonly type: string };
  readonly seLinuxOptions?: object;
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
};

export type Container = {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly args: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string }; readonly secretRef?: object }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number; readonly hostPort?: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly securityContext?: SecurityContext;
  readonly resources: { readonly requests?: Amounts; readonly limits?: Amounts };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
};

export type PodSpec = {
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly nodeSelector?: Texts;
  readonly tolerations?: readonly object[];
  readonly affinity?: object;
  readonly priorityClassName?: string;
  readonly securityContext?: SecurityContext & { readonly sysctls?: readonly object[]; readonly fsGroup?: number };
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string; readonly labelSelector: Selector }[];
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes: readonly Volume[];
};

/** A patch of the pod that `kubectl run` makes. */
export type OperatorPod = {
  readonly metadata: { readonly name: null; readonly generateName: string; readonly labels: Texts };
  readonly spec: PodSpec;
};

export type PodTemplate = { readonly metadata: Omit<Metadata, 'name'>; readonly spec: PodSpec };

export type Peer = {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: object;
};

export type Rule = {
  readonly ports?: readonly { readonly port: number | string; readonly protocol: string }[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
};

type Of<Spec> = { readonly apiVersion: string; readonly metadata: Metadata; readonly spec: Spec };

/** Objects that the chart makes, as far as tests look at them. */
export type Kinds = {
  readonly Deployment: Of<{
    readonly replicas?: number;
    readonly minReadySeconds: number;
    readonly selector: Selector;
    readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } };
    readonly template: PodTemplate;
  }>;
  readonly Job: Of<{
    readonly backoffLimit: number;
    readonly activeDeadlineSeconds?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly template: PodTemplate;
  }>;
  readonly Pod: Of<PodSpec>;
  readonly Service: Of<{
    readonly clusterIP?: string;
    readonly selector: Texts;
    readonly ports: readonly { readonly port: number; readonly targetPort: string; readonly protocol: string }[];
  }>;
  readonly ConfigMap: { readonly metadata: Metadata; readonly data: Texts };
  readonly ServiceAccount: { readonly metadata: Metadata; readonly automountServiceAccountToken?: boolean };
  readonly NetworkPolicy: Of<{
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  }>;
  readonly PodDisruptionBudget: Of<{ readonly maxUnavailable: number | string; readonly selector: Selector }>;
  readonly HorizontalPodAutoscaler: Of<{
    readonly scaleTargetRef: { readonly name: string };
    readonly minReplicas: number;
    readonly maxReplicas: number;
  }>;
  readonly ScaledObject: Of<{
    readonly scaleTargetRef: { readonly name: string };
    readonly minReplicaCount: number;
    readonly maxReplicaCount: number;
    readonly triggers: readonly {
      readonly type: string;
      readonly metadata: Texts;
      readonly authenticationRef?: { readonly name: string };
    }[];
  }>;
  readonly ServiceMonitor: Of<{
    readonly selector: Selector;
    readonly endpoints: readonly {
      readonly port: string;
      readonly path: string;
      readonly relabelings: readonly { readonly targetLabel: string; readonly replacement: string }[];
    }[];
  }>;
  readonly PrometheusRule: Of<{ readonly groups: readonly object[] }>;
  readonly KafkaTopic: Of<{
    readonly topicName: string;
    readonly partitions: number;
    readonly config: Readonly<Record<string, string | number>>;
  }>;
  readonly Certificate: Of<{
    readonly secretName: string;
    readonly isCA?: boolean;
    readonly usages: readonly string[];
    readonly dnsNames?: readonly string[];
    readonly issuerRef: { readonly name: string };
  }>;
  readonly ExternalSecret: Of<{
    readonly target: { readonly name: string };
    readonly data: readonly { readonly secretKey: string; readonly remoteRef: { readonly property: string } }[];
  }>;
  readonly HTTPRoute: Of<{
    readonly hostnames: readonly string[];
    readonly rules: readonly { readonly backendRefs: readonly { readonly name: string; readonly port: number }[] }[];
  }>;
};
