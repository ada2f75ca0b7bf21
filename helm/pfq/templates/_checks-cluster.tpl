{{/*
What is missing in the cluster, as a list of lines: Secrets, ConfigMaps, their keys, and the operators that values rely on. Helm sees
a cluster while it installs and upgrades, and while it is asked to with --dry-run=server; templates alone are checked without. Nothing
is looked up where `checks` is false: not everybody may.
*/}}
{{- define "pfq.problemsOfCluster" -}}
{{- $problems := list }}
{{- $values := .Values }}
{{- $isLive := false }}
{{- if $values.checks }}{{ $isLive = hasKey (lookup "v1" "ServiceAccount" .Release.Namespace "") "items" }}{{ end }}
{{- if $isLive }}

{{- $needs := list
  (dict "wanted" $values.httpRoute.enabled "apis" (list "gateway.networking.k8s.io/v1") "by" "httpRoute.enabled" "who" "the Gateway API")
  (dict "wanted" $values.mutualTls.enabled "apis" (list "cert-manager.io/v1") "by" "mutualTls.enabled" "who" "cert-manager")
  (dict "wanted" $values.serviceMonitor.enabled "apis" (list "monitoring.coreos.com/v1") "by" "serviceMonitor.enabled" "who" "the Prometheus Operator")
  (dict "wanted" $values.prometheusRule.enabled "apis" (list "monitoring.coreos.com/v1") "by" "prometheusRule.enabled" "who" "the Prometheus Operator")
  (dict "wanted" $values.keda.enabled "apis" (list "keda.sh/v1alpha1") "by" "keda.enabled" "who" "KEDA")
  (dict "wanted" $values.kafka.topics.create "apis" (list "kafka.strimzi.io/v1" "kafka.strimzi.io/v1beta2") "by" "kafka.topics.create" "who" "Strimzi")
  (dict "wanted" $values.secrets.external.enabled "apis" (list "external-secrets.io/v1" "external-secrets.io/v1beta1") "by" "secrets.external.enabled" "who" "the External Secrets Operator")
}}
{{- range $needs }}
{{- $isThere := false }}
{{- range .apis }}{{ $isThere = or $isThere ($.Capabilities.APIVersions.Has .) }}{{ end }}
{{- if and .wanted (not $isThere) }}
{{- $problems = append $problems (printf "%s needs %s, and this cluster has no %s" .by .who (first .apis)) }}
{{- end }}
{{- end }}

{{- $needed := include "pfq.neededKeys" . | fromYamlArray }}
{{- range $needed }}
{{- $where := printf "%s %s in namespace %s" .kind .name $.Release.Namespace }}
{{- $holder := lookup "v1" .kind $.Release.Namespace .name }}
{{- if not $holder }}
{{- $keys := list }}
{{- $missing := pick . "kind" "name" }}
{{- range $needed }}{{ if deepEqual (pick . "kind" "name") $missing }}{{ $keys = append $keys .key }}{{ end }}{{ end }}
{{- $problems = append $problems (printf "there is no %s: make it, with %s" $where (uniq $keys | sortAlpha | join ", ")) }}
{{- else if not (hasKey (default dict $holder.data) .key) }}
{{- $problems = append $problems (printf "%s has no key %s, which holds %s" $where .key .variable) }}
{{- else }}
{{- $text := index $holder.data .key }}
{{- if eq .kind "Secret" }}{{ $text = b64dec $text }}{{ end }}
{{- $text = trim $text }}
{{- if not (regexMatch .form $text) }}
{{- $problems = append $problems (printf "key %s of %s is not what %s must be: %s" .key $where .variable .words) }}
{{- end }}
{{- end }}
{{- end }}
{{- range $values.imagePullSecrets }}
{{- if not (lookup "v1" "Secret" $.Release.Namespace .name) }}
{{- $problems = append $problems (printf "there is no Secret %s in namespace %s, which imagePullSecrets names" .name $.Release.Namespace) }}
{{- end }}
{{- end }}
{{- end }}
{{- toYaml $problems }}
{{- end }}

{{/*
Every key of a Secret or ConfigMap that somebody reads, as a list of { kind, name, key, variable, form, words }; nothing of what the
chart has made for itself.
*/}}
{{- define "pfq.neededKeys" -}}
{{- $values := .Values }}
{{- $made := ternary (include "pfq.secretName" .) "" $values.secrets.external.enabled }}
{{- $postgres := dict "form" "^postgres(ql)?://" "words" "postgres://…" }}
{{- $mongodb := dict "form" "^mongodb([+]srv)?://" "words" "mongodb://…, as databases.application.engine says" }}
{{- $forms := dict
  "OPERATOR_TOKEN" (dict "form" "^.{32,}$" "words" "32 characters or more")
  "KEY_PEPPER" (dict "form" "^.{32,}$" "words" "32 characters or more")
  "ANSWER_SECRETS" (dict "form" "^[^,]{32,}(,[^,]{32,})*$" "words" "32 characters or more, and as many behind each comma")
  "REVIEW_SECRETS" (dict "form" "^[^,]{32,}(,[^,]{32,})*$" "words" "32 characters or more, and as many behind each comma")
  "SMTP_URL" (dict "form" "^smtps?://" "words" "smtp://… or smtps://…")
  "EVENTS_URL" (dict "form" "^kafkas?://" "words" "kafka://… or kafkas://…")
}}
{{- $any := dict "form" "." "words" "not empty" }}
{{- $needed := list }}
{{- range $name, $service := include "pfq.services" . | fromYaml }}
{{- $database := ternary $mongodb $postgres (has "mongodb" $service.reaches) }}
{{- $files := include "pfq.secretFiles" (list $ $name $service) | fromYamlArray }}
{{- if and $service.database (ne $values.migrations.mode "none") }}
{{- $place := include "pfq.databaseSecret" (list $ $name "migrationKey") | fromYaml }}
{{- $files = append $files (dict "variable" "DATABASE_URL" "secret" $place.secret "key" $place.key) }}
{{- end }}
{{- range $files }}
{{- if ne .secret $made }}
{{- $needed = append $needed (merge (dict "kind" "Secret" "name" .secret) (omit . "secret") (ternary $database (get $forms .variable | default $any) (eq .variable "DATABASE_URL"))) }}
{{- end }}
{{- end }}
{{- end }}
{{- range list $values.trustedAuthorities (ternary $values.mutualTls.authorities (dict) $values.mutualTls.enabled) }}
{{- $certificates := dict "key" .key "variable" "certificates" "form" "BEGIN CERTIFICATE" "words" "certificates in PEM" }}
{{- with .secret }}{{ $needed = append $needed (merge (dict "kind" "Secret" "name" .) $certificates) }}{{ end }}
{{- with .configMap }}{{ $needed = append $needed (merge (dict "kind" "ConfigMap" "name" .) $certificates) }}{{ end }}
{{- end }}
{{- with $values.tests.existingSecret }}
{{- $needed = append $needed (dict "kind" "Secret" "name" . "key" $values.tests.key "variable" "an API key" "form" "^pfq_" "words" "pfq_…") }}
{{- end }}
{{- toYaml (uniq $needed) }}
{{- end }}
