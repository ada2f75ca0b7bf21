{{/* What is wrong with the values, as a list of lines that say what to set. */}}
{{- define "pfq.problemsOfValues" -}}
{{- $values := .Values }}
{{- $problems := list }}

{{- range $name, $example := dict "apiUrl" "https://api.agency.example" "hostedUrl" "https://quotes.agency.example" "portalUrl" "https://portal.agency.example" }}
{{- if not (index $values.public $name) }}
{{- $problems = append $problems (printf "public.%s is not set: give an address such as %s" $name $example) }}
{{- end }}
{{- end }}
{{- if not $values.mail.from }}
{{- $problems = append $problems "mail.from is not set: give a sender such as Quotes <quotes@agency.example>" }}
{{- end }}
{{- $docsPath := include "pfq.pathOf" (include "pfq.docsUrl" .) }}
{{- if and $values.gateway.serveDocs $values.public.apiUrl (ne $docsPath "/docs") }}
{{- $problems = append $problems (printf "public.docsUrl must end in the path /docs, not %s, because the gateway serves its pages there: set it, or gateway.serveDocs to false" $docsPath) }}
{{- end }}
{{- if and (not $values.gateway.serveDocs) (not $values.public.docsUrl) }}
{{- $problems = append $problems "public.docsUrl must be set where gateway.serveDocs is false: errors lead there" }}
{{- end }}

{{- $external := $values.secrets.external }}
{{- if not (or $values.secrets.existingSecret $external.enabled) }}
{{- $problems = append $problems "secrets.existingSecret is not set: name a Secret with the keys of secrets.keys, or set secrets.external.enabled" }}
{{- end }}
{{- if and $external.enabled (not (and $external.storeRef.name $external.remoteKey)) }}
{{- $problems = append $problems "secrets.external needs storeRef.name and remoteKey" }}
{{- end }}
{{- if and $values.telemetry.hasHeaders (not $values.telemetry.endpoint) }}
{{- $problems = append $problems "telemetry.hasHeaders is for telemetry.endpoint, which is not set" }}
{{- end }}
{{- with $values.trustedAuthorities }}
{{- if and .secret .configMap }}
{{- $problems = append $problems "trustedAuthorities.secret and trustedAuthorities.configMap are both set: keep one" }}
{{- end }}
{{- end }}

{{- if and $values.keda.enabled (not $values.kafka.enabled) }}
{{- $problems = append $problems "keda.enabled needs kafka.enabled: it scales on the lag of a consumer of Kafka" }}
{{- end }}
{{- if and $values.keda.enabled (not $values.keda.bootstrapServers) }}
{{- $problems = append $problems "keda.enabled needs keda.bootstrapServers, host:port,…" }}
{{- end }}
{{- if gt (int $values.keda.minReplicas) (int $values.keda.maxReplicas) }}
{{- $problems = append $problems "keda.minReplicas is more than keda.maxReplicas" }}
{{- end }}
{{- $topics := $values.kafka.topics }}
{{- if and $topics.create (not $values.kafka.enabled) }}
{{- $problems = append $problems "kafka.topics.create needs kafka.enabled" }}
{{- end }}
{{- if and $topics.create (not $topics.cluster) }}
{{- $problems = append $problems "kafka.topics.create needs kafka.topics.cluster, the name of the Kafka object" }}
{{- end }}
{{- if gt (int $topics.minInSyncReplicas) (int $topics.replicas) }}
{{- $problems = append $problems "kafka.topics.minInSyncReplicas is more than kafka.topics.replicas" }}
{{- end }}
{{- if and (eq $values.databases.application.engine "mongodb") $values.migrations.serviceRoles.application }}
{{- $problems = append $problems "migrations.serviceRoles.application is for PostgreSQL, and databases.application.engine is mongodb" }}
{{- end }}

{{- $shutdown := $values.shutdown }}
{{- if lt (int $shutdown.timeoutMs) (add (int $shutdown.delayMs) 18000 | int) }}
{{- $problems = append $problems "shutdown.timeoutMs must be at least 18000 more than shutdown.delayMs, or what is under way is cut off" }}
{{- end }}
{{- if and $shutdown.preStopSeconds (semverCompare "<1.30.0-0" .Capabilities.KubeVersion.Version) }}
{{- $problems = append $problems (printf "shutdown.preStopSeconds needs Kubernetes 1.30, and this is %s: raise shutdown.delayMs and shutdown.timeoutMs instead" .Capabilities.KubeVersion.Version) }}
{{- end }}

{{- if and $values.httpRoute.enabled (not $values.httpRoute.parentRefs) }}
{{- $problems = append $problems "httpRoute.enabled needs httpRoute.parentRefs, the Gateways that serve the addresses" }}
{{- end }}
{{- if and $values.ingress.enabled (include "pfq.pathOf" $values.public.apiUrl) }}
{{- $problems = append $problems "ingress.enabled cannot serve public.apiUrl below a path: an Ingress does not take it away; use httpRoute" }}
{{- end }}
{{- if and $values.networkPolicy.enabled $values.serviceMonitor.enabled (not $values.networkPolicy.metricsFrom) }}
{{- $problems = append $problems "networkPolicy.metricsFrom must say where Prometheus is, or serviceMonitor.enabled finds nothing: [{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: monitoring } } }]" }}
{{- end }}

{{- range $name, $service := include "pfq.services" . | fromYaml }}
{{- $key := camelcase $name | untitle }}
{{- $settings := include "pfq.settings" (list $ $name) | fromYaml }}
{{- if gt (int $settings.autoscaling.minReplicas) (int $settings.autoscaling.maxReplicas) }}
{{- $problems = append $problems (printf "%s.autoscaling.minReplicas is more than its maxReplicas" $key) }}
{{- end }}
{{- $taken := list "HTTP_PORT" "RPC_PORT" "OPERATIONS_PORT" "LISTEN_HOST" "RPC_TLS_DIR" }}
{{- range include "pfq.secretFiles" (list $ $name $service) | fromYamlArray }}
{{- $taken = concat $taken (list .variable (printf "%s_FILE" .variable)) }}
{{- end }}
{{- range $variable, $_ := $settings.environment }}
{{- if has $variable $taken }}
{{- $problems = append $problems (printf "%s.environment must not set %s, which the chart sets" $key $variable) }}
{{- end }}
{{- end }}
{{- end }}

{{- toYaml $problems }}
{{- end }}
