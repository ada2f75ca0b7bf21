{{/* Every pod of the release. */}}
{{- define "pfq.releaseSelector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Pods of some components of the release, as a list of peers: (list $ (list "gateway" "pricing")). */}}
{{- define "pfq.pods" -}}
- podSelector:
    matchLabels:
      {{- include "pfq.releaseSelector" (first .) | nindent 6 }}
    matchExpressions:
      - { key: app.kubernetes.io/component, operator: In, values: {{ last . | sortAlpha | toJson }} }
{{- end }}

{{/* A rule of egress to some components: (list $ (list "pricing") 9090). */}}
{{- define "pfq.egressToPods" -}}
- ports: [{ port: {{ index . 2 }}, protocol: TCP }]
  to:
    {{- include "pfq.pods" (list (index . 0) (index . 1)) | nindent 4 }}
{{- end }}

{{/* A rule of egress to a place outside the release, a name of networkPolicy.to: (list $ "databases"). Empty where it has no ports. */}}
{{- define "pfq.egressTo" -}}
{{- $policy := (first .).Values.networkPolicy }}
{{- $place := last . }}
{{- with index $policy.ports $place -}}
- ports:
    {{- range . }}
    {{- if eq $place "dns" }}
    - { port: {{ . }}, protocol: UDP }
    {{- end }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with index $policy.to $place }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* In small letters, as Kubernetes wants names. */}}
{{- define "pfq.hostOf" -}}
{{- regexReplaceAll "^https?://(?:[^/@]*@)?(\\[[^\\]]*\\]|[^/:]*).*$" . "${1}" | lower }}
{{- end }}

{{/* Empty, or with a slash before and none behind it. */}}
{{- define "pfq.pathOf" -}}
{{- regexReplaceAll "^https?://[^/]*" . "" | trimSuffix "/" }}
{{- end }}

{{/*
The public addresses as a list of { service, host, paths, strip }: all below a path goes to the service, without it where `strip` says so.
The gateway knows its own paths alone, the hosted page those that its links have.
*/}}
{{- define "pfq.publicRoutes" -}}
{{- $public := .Values.public }}
{{- $apiHost := include "pfq.hostOf" $public.apiUrl }}
{{- $apiPath := include "pfq.pathOf" $public.apiUrl }}
{{- $hostedHost := include "pfq.hostOf" $public.hostedUrl }}
{{- $hostedPath := include "pfq.pathOf" $public.hostedUrl }}
{{- $docsHost := include "pfq.hostOf" (include "pfq.docsUrl" .) }}
- { service: gateway, host: {{ $apiHost | quote }}, paths: [{{ default "/" $apiPath | quote }}], strip: {{ ne $apiPath "" }} }
{{- if and .Values.gateway.serveDocs (or (ne $docsHost $apiHost) (ne $apiPath "")) }}
- { service: gateway, host: {{ $docsHost | quote }}, paths: [/docs, /openapi.json], strip: false }
{{- end }}
{{- if eq $hostedHost $apiHost }}
- { service: hosted-page, host: {{ $hostedHost | quote }}, paths: [{{ printf "%s/q" $hostedPath | quote }}], strip: false }
{{- else }}
- { service: hosted-page, host: {{ $hostedHost | quote }}, paths: [{{ default "/" $hostedPath | quote }}], strip: false }
{{- end }}
{{- end }}
