{{/* The Secret that migrations alone read where an ExternalSecret makes it; else they read from where services do. */}}
{{- define "pfq.migrationSecretName" -}}
{{- if .Values.secrets.external.enabled -}}
{{ include "pfq.fullname" . }}-migrations
{{- else -}}
{{ include "pfq.secretName" . }}
{{- end -}}
{{- end }}

{{/* What a migration reads of Secrets as a list of { variable, secret, key }, as YAML: (list $ "quote-store" $service). */}}
{{- define "pfq.migrationFiles" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}{{ $service := index . 2 -}}
{{- $place := include "pfq.databaseSecret" (list $root $name "migrationKey") | fromYaml -}}
{{- $ownSecret := include "pfq.secretName" $root -}}
{{- $secret := ternary (include "pfq.migrationSecretName" $root) $place.secret (eq $place.secret $ownSecret) -}}
{{- $files := list (dict "variable" "DATABASE_URL" "secret" $secret "key" $place.key) -}}
{{- if and (has "eventsUrl" $service.secrets) (not $root.Values.kafka.topics.create) -}}
{{- $files = append $files (dict "variable" "EVENTS_URL" "secret" (include "pfq.migrationSecretName" $root) "key" $root.Values.secrets.keys.eventsUrl) -}}
{{- end -}}
{{- toYaml $files }}
{{- end }}

{{/* Annotations of what migrations are made of: (list $ "-10" "hook-succeeded"), weight and when Helm takes it away beside before the next. */}}
{{- define "pfq.migrationAnnotations" -}}
{{- $root := index . 0 -}}
{{- $annotations := deepCopy $root.Values.migrations.annotations -}}
{{- if eq $root.Values.migrations.mode "hook" -}}
{{- $policies := compact (list "before-hook-creation" (index . 2)) | join "," -}}
{{- $annotations = mergeOverwrite (dict
  "helm.sh/hook" "pre-install,pre-upgrade,pre-rollback"
  "helm.sh/hook-weight" (index . 1)
  "helm.sh/hook-delete-policy" $policies
  "helm.sh/hook-output-log-policy" "hook-failed") $annotations -}}
{{- end -}}
{{- with $annotations }}{{ toYaml . }}{{ end -}}
{{- end }}

{{/* The specification of a Job that migrates one service: (list $ "quote-store" $service). */}}
{{- define "pfq.migrationJob" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}{{ $service := index . 2 -}}
{{- $values := $root.Values -}}
{{- $files := include "pfq.migrationFiles" . | fromYamlArray -}}
{{- $role := index $values.migrations.serviceRoles (camelcase $name | untitle) -}}
backoffLimit: {{ $values.migrations.backoffLimit }}
activeDeadlineSeconds: {{ $values.migrations.activeDeadlineSeconds }}
ttlSecondsAfterFinished: {{ $values.migrations.ttlSecondsAfterFinished }}
{{- if semverCompare ">=1.26.0-0" $root.Capabilities.KubeVersion.Version }}
# Another attempt does not mend a configuration.
podFailurePolicy:
  rules:
    - action: FailJob
      onExitCodes: { containerName: migrate, operator: In, values: [78] }
{{- end }}
template:
  metadata:
    labels:
      {{- include "pfq.serviceLabels" (list $root (printf "migrate-%s" $name)) | nindent 6 }}
  spec:
    serviceAccountName: {{ include "pfq.fullname" $root }}-migrate
    automountServiceAccountToken: false
    enableServiceLinks: false
    # The pod of each attempt stays, with its log.
    restartPolicy: Never
    securityContext:
      {{- include "pfq.podSecurityContext" $root | nindent 6 }}
    {{- with $values.imagePullSecrets }}
    imagePullSecrets:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with include "pfq.placement" (include "pfq.sharedSettings" $root | fromYaml) }}
    {{- . | nindent 4 }}
    {{- end }}
    containers:
      - name: migrate
        image: {{ include "pfq.image" $root }}
        imagePullPolicy: {{ $values.image.pullPolicy }}
        args: [services/{{ $name }}/src/migrate.ts]
        securityContext:
          {{- include "pfq.containerSecurityContext" $root | nindent 10 }}
        terminationMessagePolicy: FallbackToLogsOnError
        env:
          - { name: LOG_LEVEL, value: {{ $values.logLevel }} }
          {{- range $files }}
          - { name: {{ .variable }}_FILE, value: /etc/pfq/secrets/{{ .variable }} }
          {{- end }}
          {{- with $role }}
          - { name: DATABASE_SERVICE_ROLE, value: {{ . | quote }} }
          {{- end }}
          {{- if include "pfq.trusts" $root }}
          - { name: NODE_EXTRA_CA_CERTS, value: /etc/pfq/trust/ca.crt }
          {{- end }}
        resources:
          {{- toYaml $values.migrations.resources | nindent 10 }}
        volumeMounts:
          - { name: secrets, mountPath: /etc/pfq/secrets, readOnly: true }
          - { name: tmp, mountPath: /tmp }
          {{- if include "pfq.trusts" $root }}
          - { name: trust, mountPath: /etc/pfq/trust, readOnly: true }
          {{- end }}
    volumes:
      - name: secrets
        projected:
          defaultMode: 0440
          sources:
            {{- range $files }}
            - secret:
                name: {{ .secret }}
                items: [{ key: {{ .key }}, path: {{ .variable }} }]
            {{- end }}
      - name: tmp
        emptyDir: { sizeLimit: 16Mi }
      {{- if include "pfq.trusts" $root }}
      {{- include "pfq.trustVolume" $root | nindent 6 }}
      {{- end }}
{{- end }}
