{{- define "pfq.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "pfq.image" -}}
{{- $image := .Values.image }}
{{- if $image.digest }}
{{- printf "%s@%s" $image.repository $image.digest }}
{{- else }}
{{- printf "%s:%s" $image.repository (default .Chart.AppVersion $image.tag) }}
{{- end }}
{{- end }}

{{/* Of an object that is not one service's. */}}
{{- define "pfq.labels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: pfq
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Of one service's: (list $ "quote-store"). */}}
{{- define "pfq.serviceLabels" -}}
{{ include "pfq.labels" (first .) }}
app.kubernetes.io/component: {{ last . }}
{{- end }}

{{/* Of a service's pods, which a new version of the chart alone does not replace: (list $ "quote-store"). */}}
{{- define "pfq.podLabels" -}}
{{ include "pfq.selector" . }}
app.kubernetes.io/version: {{ (first .).Chart.AppVersion | quote }}
app.kubernetes.io/part-of: pfq
{{- end }}

{{- define "pfq.selector" -}}
{{- $root := first . -}}
app.kubernetes.io/name: {{ default $root.Chart.Name $root.Values.nameOverride }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ last . }}
{{- end }}

{{/* The values of a service, its own over the defaults: (list $ "quote-store"), as YAML. */}}
{{- define "pfq.settings" -}}
{{- $values := (first .).Values -}}
{{- $settings := dict -}}
{{- include "pfq.lay" (list $settings $values.defaults) -}}
{{- include "pfq.lay" (list $settings (index $values (camelcase (last .) | untitle))) -}}
{{- toYaml $settings }}
{{- end }}

{{/* The values of what is no service's, as YAML. */}}
{{- define "pfq.sharedSettings" -}}
{{- $settings := dict -}}
{{- include "pfq.lay" (list $settings .Values.defaults) -}}
{{- toYaml $settings }}
{{- end }}

{{/* Changes a map to what another says: (list $below $above). Maps are merged; null, and a map or a list without members, takes away. */}}
{{- define "pfq.lay" -}}
{{- $below := first . -}}
{{- range $name, $given := last . -}}
{{- if and (kindIs "map" $given) $given -}}
{{- $member := dict -}}
{{- with get $below $name }}{{ $member = . }}{{ end -}}
{{- include "pfq.lay" (list $member $given) -}}
{{- $_ := set $below $name $member -}}
{{- else if kindIs "invalid" $given -}}
{{- $_ := unset $below $name -}}
{{- else -}}
{{- $_ := set $below $name $given -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Where a pod may run, of values as pfq.settings gives them. */}}
{{- define "pfq.placement" -}}
{{- $placement := dict -}}
{{- with .nodeSelector }}{{ $_ := set $placement "nodeSelector" . }}{{ end -}}
{{- with .tolerations }}{{ $_ := set $placement "tolerations" . }}{{ end -}}
{{- with $placement }}{{ toYaml . }}{{ end -}}
{{- end }}

{{/* What decides how many pods a service has, (list $ "quote-store"): `keda`, `hpa`, or nothing where the number is fixed. */}}
{{- define "pfq.scaling" -}}
{{- $root := first . -}}
{{- $settings := include "pfq.settings" . | fromYaml -}}
{{- if and $root.Values.keda.enabled (eq (last .) "notification") -}}
keda
{{- else if $settings.autoscaling.enabled -}}
hpa
{{- end -}}
{{- end }}

{{- define "pfq.rpcUrl" -}}
grpc://{{ include "pfq.fullname" (first .) }}-{{ last . }}:9090
{{- end }}

{{- define "pfq.docsUrl" -}}
{{- default (printf "%s/docs" (trimSuffix "/" .Values.public.apiUrl)) .Values.public.docsUrl }}
{{- end }}

{{/* The Secret that holds what is not a database's. */}}
{{- define "pfq.secretName" -}}
{{- default (printf "%s-secrets" (include "pfq.fullname" .)) .Values.secrets.existingSecret }}
{{- end }}

{{/* Where a database's URL is: (list $ "quote-store" "key"|"migrationKey") gives { secret, key } as YAML. */}}
{{- define "pfq.databaseSecret" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}{{ $which := index . 2 -}}
{{- $database := index $root.Values.databases (camelcase $service | untitle) -}}
{{- $suffix := ternary "migration-url" "database-url" (eq $which "migrationKey") -}}
secret: {{ default (include "pfq.secretName" $root) $database.existingSecret }}
key: {{ default (printf "%s-%s" $service $suffix) (index $database $which) }}
{{- end }}

{{/* The name of whatever holds the certificates of a private authority; nothing where there is none. */}}
{{- define "pfq.trusts" -}}
{{- or .Values.trustedAuthorities.secret .Values.trustedAuthorities.configMap }}
{{- end }}

{{- define "pfq.trustVolume" -}}
- name: trust
  {{- $authorities := .Values.trustedAuthorities }}
  {{- $items := list (dict "key" $authorities.key "path" "ca.crt") | toJson }}
  {{- if $authorities.secret }}
  secret: { secretName: {{ $authorities.secret }}, items: {{ $items }} }
  {{- else }}
  configMap: { name: {{ $authorities.configMap }}, items: {{ $items }} }
  {{- end }}
{{- end }}

{{/* Certificates for calls between services: (list $ "gateway"), as the item of a list of volumes. */}}
{{- define "pfq.tlsVolume" -}}
{{- $root := first . -}}
{{- $secret := printf "%s-%s-tls" (include "pfq.fullname" $root) (last .) -}}
{{- $authorities := $root.Values.mutualTls.authorities -}}
{{- $items := list (dict "key" $authorities.key "path" "ca.crt") | toJson -}}
- name: tls
  {{- if or $authorities.configMap $authorities.secret }}
  projected:
    defaultMode: 0440
    sources:
      - secret: { name: {{ $secret }}, items: [{ key: tls.crt, path: tls.crt }, { key: tls.key, path: tls.key }] }
      {{- with $authorities.configMap }}
      - configMap: { name: {{ . }}, items: {{ $items }} }
      {{- end }}
      {{- with $authorities.secret }}
      - secret: { name: {{ . }}, items: {{ $items }} }
      {{- end }}
  {{- else }}
  secret: { secretName: {{ $secret }}, defaultMode: 0440 }
  {{- end }}
{{- end }}

{{/* Seconds after which a pod that is told to stop is killed. */}}
{{- define "pfq.gracePeriod" -}}
{{- add .Values.shutdown.preStopSeconds (ceil (divf .Values.shutdown.timeoutMs 1000)) 10 }}
{{- end }}

{{/* PodSecurity "restricted". */}}
{{- define "pfq.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "pfq.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
