import TesseraHost

WorkerProcess.run()
